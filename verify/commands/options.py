"""Options that several commands share."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from typing import Any, TypeVar

import click

from verify.moments.divergence import DEFAULT_DIGITS
from verify.numbers.budget import DEFAULT_SECONDS
from verify.numbers.certified import Certified
from verify.numbers.point import Point, exact_text

F = TypeVar("F", bound=Callable[..., Any])


def in_order(*given: Callable[[F], F]) -> Callable[[F], F]:
    """One decorator of many options, in the order in which help lists them."""

    def decorate(function: F) -> F:
        for option in reversed(given):
            function = option(function)
        return function

    return decorate


def hear_terminate() -> None:
    """Let SIGTERM end a command as Ctrl-C does (queue systems send it when the time is up)."""
    signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(number: int, frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # counts once, like Ctrl-C
    raise KeyboardInterrupt


def digits(f: F) -> F:
    return click.option(
        "--digits", type=int, default=DEFAULT_DIGITS, show_default=True, help="Significant digits."
    )(f)


def _once(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> str | None:
    if len(values) > 1:
        raise click.BadParameter(f"given {len(values)} times: {', '.join(values)}")
    return values[0] if values else None


def with_two_names(*names: str, **attributes: Any) -> Callable[[F], F]:
    """An option with two names: given by both, one of the values would count and nobody would know which."""
    return click.option(*names, multiple=True, callback=_once, **attributes)


def batch(text: str, **attributes: Any) -> Callable[[F], F]:
    """The batch size, also by the name that trainers give it."""
    return with_two_names("--batch", "--batch-size", help=text, **attributes)


def sigma(text: str, **attributes: Any) -> Callable[[F], F]:
    """The noise multiplier, also by the name that libraries give it."""
    return with_two_names("--sigma", "--noise-multiplier", help=text, **attributes)


def max_seconds(f: F) -> F:
    return click.option(
        "--max-seconds",
        type=float,
        default=DEFAULT_SECONDS,
        show_default=True,
        help="Time allowed for each number; when it runs out the answer is an error, or a wider bracket that says so.",
    )(f)


def as_json(f: F) -> F:
    """The flag --json, which means the same for every command: the answer, or the error, as JSON on
    standard output."""
    return click.option(
        "--json", "as_json", is_flag=True, help="JSON on standard output, errors too."
    )(f)


def profile(f: F) -> F:
    from verify.results.evidence import Profile

    return click.option(
        "--profile",
        type=click.Choice([str(p) for p in Profile]),
        default=str(Profile.QUICK),
        show_default=True,
        help="How much to do: quick for every change, full for a release.",
    )(f)


def jobs(f: F) -> F:
    return click.option(
        "--jobs", type=click.IntRange(1), default=None, help="Processes.  [default: cores]"
    )(f)


def point_json(point: Point) -> dict[str, str]:
    return {
        "q": exact_text(point.q),
        "sigma": exact_text(point.sigma),
        "alpha": exact_text(point.alpha),
    }


def number_json(number: Certified, digits: int) -> dict[str, str]:
    """Outward-rounded decimals, and the correctly rounded doubles in hexadecimal."""
    return {
        "lo": number.lo_str(digits + 3),
        "hi": number.hi_str(digits + 3),
        "double": number.to_double().hex(),
        "double_up": number.to_double_up().hex(),
    }


def emit(value: object) -> None:
    """One JSON document on one line."""
    click.echo(json.dumps(value, ensure_ascii=False))
