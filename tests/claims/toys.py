"""Claims that are right, blind and mistaken: the text of a small package."""

SECTION = '''
from verify.claims import Rejected, claim, symbolic, sampled
from {package}.helpers import borrowed

@claim("toy/section/right", lines="1", kind="identity", domain="x", statement="1 = 1",
       kernel="one_is_one", broken={"two": {"value": 2}})
def right(value=1):
    """One is one."""
    if value != 1:
        raise Rejected("value = 2")
    yield symbolic()

@claim("toy/section/blind", lines="2-3", kind="identity", domain="x", statement="2 = 2",
       broken={"three": {"value": 3}})
def blind(value=2):
    """A check that cannot fail."""
    yield sampled(7)

@claim("toy/section/mistaken", lines="beyond", kind="assertion", domain="x", statement="x",
       verdict="refuted", severity="slip", repair="y", broken={"crash": {"value": 0}})
def mistaken(value=1):
    """Recorded as refuted, but the check finds it true."""
    yield symbolic(effective=1 // value)
'''
HELPERS = '''
from verify.claims import claim, symbolic

@claim("toy/borrowed/claim", lines="9", kind="identity", domain="x", statement="x",
       unbreakable="nothing to break")
def borrowed():
    """Imported by the other module, but defined once."""
    yield symbolic()
'''
