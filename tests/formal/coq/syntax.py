"""Reads the part of Coq's language that the Statements files are written in.

Only statements and definitions are read, never proofs. The precedences are Coq's own: unary minus
and inverse bind tighter than * and / but looser than ^, so ``- z ^ 2 / s`` is ``(-(z^2)) / s``.

>>> parse("- z ^ 2 / s")
Op(symbol='/', left=Op(symbol='neg', left=Op(symbol='^', left=Name(text='z'), right=Number(value=Fraction(2, 1))), right=None), right=Name(text='s'))
"""

from __future__ import annotations

import re
from fractions import Fraction

from tests.formal.coq.terms import (
    Apply,
    Binder,
    Bound,
    Definition,
    If,
    Let,
    Match,
    Name,
    Number,
    Op,
    Statement,
    Term,
)


class NotUnderstood(Exception):
    """The text is outside the part of the language that is read here."""


_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*)"
    r"|(?P<symbol><->|->|=>|:=|\\/|/\\|<=|>=|<>|\+\+|::|[-+*/^<>=~(),{}:|@%]))"
)
_SENTENCE_END = re.compile(r"\.(?=\s|$)")
_HEADER = re.compile(r"\s*(Definition|Fixpoint|Theorem)\s+([\w']+)")
_LEVELS: tuple[tuple[str, ...], ...] = (("<->",), ("->",), ("\\/",), ("/\\",))
_COMPARISONS = ("=", "<", "<=", ">", ">=", "<>")


def without_comments(text: str) -> str:
    """The text with its (nested) comments blanked out."""
    kept, depth, i = [], 0, 0
    while i < len(text):
        if text.startswith("(*", i):
            depth, i = depth + 1, i + 2
        elif depth and text.startswith("*)", i):
            depth, i = depth - 1, i + 2
        else:
            kept.append(text[i] if depth == 0 or text[i] == "\n" else " ")
            i += 1
    return "".join(kept)


def read(text: str) -> tuple[list[Definition], list[Statement]]:
    """The definitions and theorems of a file, in order."""
    definitions, statements = [], []
    for sentence in _SENTENCE_END.split(without_comments(text)):
        header = _HEADER.match(sentence)
        if header is None:
            continue
        rest = sentence[header.end() :]
        if header[1] == "Theorem":
            statements.append(Statement(header[2], parse(rest.lstrip().removeprefix(":"))))
        else:
            definitions.append(_Parser(rest).definition(header[2]))
    return definitions, statements


def parse(text: str) -> Term:
    """One term or proposition."""
    parser = _Parser(text)
    term = parser.term()
    parser.expect("")
    return term


class _Parser:
    """Recursive descent, one method a level."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        position = 0
        while position < len(text.rstrip()):
            match = _TOKEN.match(text, position)
            if match is None:
                raise NotUnderstood(f"at {text[position : position + 20]!r}")
            self.tokens.append(match[0].strip())
            position = match.end()
        self.at = 0

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.next
        self.at += 1
        return token

    def expect(self, token: str) -> None:
        if self.next != token:
            raise NotUnderstood(f"{token!r} expected, {self.next!r} found")
        self.at += 1

    def accept(self, token: str) -> bool:
        if self.next == token:
            self.at += 1
            return True
        return False

    def definition(self, name: str) -> Definition:
        implicit = {b.name for b in self.binders((":",), braces_only=True)}
        explicit = [b for b in self.binders((":",)) if b.name not in implicit]
        self.expect(":")
        type_ = self.term()
        self.expect(":=")
        body = self.term()
        self.expect("")
        names, types = tuple(b.name for b in explicit), tuple(b.type for b in explicit)
        return Definition(name, names, types, type_ == Name("Prop"), body)

    def binders(self, stop: tuple[str, ...], braces_only: bool = False) -> list[Binder]:
        """Bound variables up to (not including) one of the stop tokens."""
        found: list[Binder] = []
        while self.next not in stop:
            if self.next == "{" or (self.next == "(" and not braces_only):
                closing = "}" if self.take() == "{" else ")"
                names = [self.take()]
                while self.next != ":":
                    names.append(self.take())
                self.expect(":")
                type_ = self.term()
                self.expect(closing)
                found += [Binder(n, type_) for n in names]
            elif braces_only:
                break
            else:
                found.append(Binder(self.identifier()))
        return found

    def identifier(self) -> str:
        if not re.match(r"[A-Za-z_]", self.next):
            raise NotUnderstood(f"name expected, {self.next!r} found")
        return self.take()

    def term(self) -> Term:
        if self.next in ("forall", "exists", "fun"):
            kind = self.take()
            close = "=>" if kind == "fun" else ","
            binders = self.binders((close, ":"))
            if self.accept(":"):
                type_ = self.term()
                binders = [Binder(b.name, type_) for b in binders]
            self.expect(close)
            return Bound(kind, tuple(binders), self.term())
        if self.accept("let"):
            name = self.identifier()
            self.expect(":=")
            value = self.term()
            self.expect("in")
            return Let(name, value, self.term())
        if self.accept("if"):
            condition = self.term()
            self.expect("then")
            yes = self.term()
            self.expect("else")
            return If(condition, yes, self.term())
        return self.connective(0)

    def connective(self, level: int) -> Term:
        """<->, ->, \\/, /\\: all associate to the right."""
        if level == len(_LEVELS):
            return self.comparison()
        left = self.connective(level + 1)
        if self.next in _LEVELS[level]:
            symbol = self.take()
            right = self.term() if self.next in ("forall", "exists", "let") else None
            return Op(symbol, left, right or self.connective(level))
        return left

    def comparison(self) -> Term:
        if self.accept("~"):
            return Op("~", self.comparison())
        left = self.list_level()
        chain: Term | None = None
        while self.next in _COMPARISONS:
            symbol = self.take()
            right = self.list_level()
            link = Op(symbol, left, right)
            chain = link if chain is None else Op("/\\", chain, link)
            left = right
        return chain or left

    def list_level(self) -> Term:
        left = self.sum()
        if self.next in ("++", "::"):
            return Op(self.take(), left, self.list_level())
        return left

    def sum(self) -> Term:
        left = self.product()
        while self.next in ("+", "-"):
            left = Op(self.take(), left, self.product())
        return left

    def product(self) -> Term:
        left = self.unary()
        while self.next in ("*", "/"):
            left = Op(self.take(), left, self.unary())
        return left

    def unary(self) -> Term:
        if self.accept("-"):
            return Op("neg", self.unary())
        if self.accept("/"):
            return Op("inv", self.unary())
        left = self.application()
        return Op("^", left, self.unary()) if self.accept("^") else left

    def application(self) -> Term:
        self.accept("@")
        function = self.atom()
        arguments = []
        while self._starts_atom():
            arguments.append(self.atom())
        return Apply(function, tuple(arguments)) if arguments else function

    def _starts_atom(self) -> bool:
        token = self.next
        words = ("in", "then", "else", "with", "end", "forall", "exists", "let", "fun", "if")
        return token == "(" or (re.match(r"[A-Za-z_0-9]", token) is not None and token not in words)

    def atom(self) -> Term:
        if self.accept("("):
            inner = self.term()
            self.expect(")")
            if self.accept("%"):  # a scope: the operations mean the same here
                self.identifier()
            return inner
        if self.accept("match"):
            return self.match()
        token = self.take()
        if re.match(r"\d", token):
            return Number(Fraction(token))
        if not re.match(r"[A-Za-z_]", token):
            raise NotUnderstood(f"{token!r} where a term was expected")
        return Name(token)

    def match(self) -> Term:
        subject = self.term()
        self.expect("with")
        self.accept("|")
        self.take()  # O or nil
        self.expect("=>")
        empty = self.term()
        self.expect("|")
        pattern = self.term()  # S p, or x :: rest
        parts = pattern.arguments if isinstance(pattern, Apply) else ()
        if isinstance(pattern, Op) and pattern.right is not None:
            parts = (pattern.left, pattern.right)
        self.expect("=>")
        other = self.term()
        self.expect("end")
        return Match(subject, empty, tuple(p.text for p in parts if isinstance(p, Name)), other)
