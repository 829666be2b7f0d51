"""The claims, checked in parallel or taken from the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from verify.claims.kernel import with_proofs
from verify.claims.model import Checked, Claim
from verify.claims.running import differs, run
from verify.report.collect import sources
from verify.report.collect.cache import Cache
from verify.results.evidence import Profile, Theorem


def key(claim: Claim, profile: Profile) -> str:
    """What the result of a check depends on."""
    made_by = sources.of_module(claim.module, "verify.claims.reasons")
    return sources.digest(["claim 3", claim.id, str(profile), made_by])


def check(
    claims: Iterable[Claim],
    profile: Profile,
    cache: Cache,
    workers: int,
    proved: Mapping[str, Theorem],
    done: Callable[[str], None] = lambda _: None,
) -> dict[str, Checked]:
    """Every claim with what was found, formal proofs included; only what the cache does not know is run."""
    by_id = {claim.id: claim for claim in claims}
    known: dict[str, Checked] = {}
    for claim in by_id.values():
        stored = read_checked(cache, key(claim, profile))
        if stored is not None:
            known[claim.id] = stored
            done(claim.id)

    def keep(checked: Checked) -> None:
        claim = by_id[checked.id]
        if not differs(claim, checked.finding) and not checked.survivors:
            cache.put(key(claim, profile), msgspec.to_builtins(checked))
        done(checked.id)

    todo = [claim for claim in by_id.values() if claim.id not in known]
    if todo:
        known |= run(todo, profile, workers=min(workers, len(todo)), done=keep)
    return {name: with_proofs(claim, known[name], proved) for name, claim in by_id.items()}


def read_checked(cache: Cache, name: str) -> Checked | None:
    """What the cache holds, if it has the present shape."""
    try:
        return msgspec.convert(cache.get(name), Checked | None)
    except msgspec.ValidationError:
        return None
