r"""LaTeX of a formula as one reads it in a terminal: letters and signs, no markup.

>>> plain_formula(r"\text{SGM (sensitivity 1) is } (\alpha, 2q^2\alpha/\sigma^2)\text{-RDP}")
'SGM (sensitivity 1) is (α, 2q^2 α/σ^2)-RDP'
>>> plain_formula(r"\frac{1}{q(\alpha-1)} \ge \tfrac12,\ \mathcal{R}^{n+1}")
'1/(q(α-1)) ≥ 1/2, R^(n+1)'
>>> plain_formula(r"D_\alpha \le \rho\alpha on (1,\omega)")
'D_α ≤ ρα on (1,ω)'
"""

from __future__ import annotations

import re

_SIGNS = {
    "alpha": "α", "beta": "β", "delta": "δ", "varepsilon": "ε", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
    "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "varphi": "φ", "omega": "ω", "Gamma": "Γ",
    "le": "≤", "ge": "≥", "ne": "≠", "ll": "≪", "in": "∈", "notin": "∉", "subseteq": "⊆", "cup": "∪", "infty": "∞",
    "int": "∫", "sum": "Σ", "to": "→", "mapsto": "↦", "implies": "⇒", "Rightarrow": "⇒", "iff": "⇔", "pm": "±",
    "otimes": "⊗", "circ": "∘", "sim": "~", "ldots": "...", "dots": "...", "ell": "l", "lceil": "⌈", "rceil": "⌉",
}  # fmt: skip
_RELATIONS = frozenset("≤≥≠≪∈∉⊆∪→↦⇒⇔~")
_DROPPED = frozenset(
    [
        "left",
        "right",
        "Bigl",
        "Bigr",
        "bigl",
        "bigr",
        "textstyle",
        "text",
        "mathcal",
        "mathbb",
        "mathrm",
        "operatorname",
    ]
)
_ARGUMENT = r"(\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|\\[A-Za-z]+|[A-Za-z0-9])"
_TWO = re.compile(rf"\\([td]?frac|t?binom)\s*{_ARGUMENT}\s*{_ARGUMENT}")


def plain_formula(latex: str) -> str:
    """The formula on one line."""
    text = latex
    while _TWO.search(text):
        text = _TWO.sub(_two, text)
    text = re.sub(rf"\\sqrt\s*{_ARGUMENT}", lambda m: f"sqrt({_inner(m[1])})", text)
    text = re.sub(r"\\\|", "||", text).replace(r"\{", "\1").replace(r"\}", "\2")
    text = re.sub(r"\\([A-Za-z]+) ?", _sign, text)
    text = re.sub(r"\\[ ,;!]|~", " ", text)
    text = re.sub(r"([\^_])\{([^{}]*)\}", _superscript, text)
    text = re.sub(r"[{}]", "", text).replace("\1", "{").replace("\2", "}")
    text = re.sub(r"([(\[]) +", r"\1", " ".join(text.split()))
    text = re.sub(r" +([,;.)\]/^])", r"\1", text)
    return re.sub(r"(?<=[^\s<>=!:])([<>=])(?= )", r" \1", text)


def _two(match: re.Match[str]) -> str:
    above, below = _inner(match[2]), _inner(match[3])
    if "binom" in match[1]:
        return f"C({above}, {below})"
    quotient = f"{_one(above)}/{_one(below)}"
    after = match.string[match.end() :].lstrip()
    times = re.match(r"[A-Za-z(]|\\(?:alpha|sigma|left|ln)", after)
    return f"({quotient})" if times else quotient


def _inner(argument: str) -> str:
    return argument[1:-1] if argument.startswith("{") else argument


def _one(text: str) -> str:
    """In brackets, if it is not one number, letter or name."""
    return text if re.fullmatch(r"\\?[A-Za-z]+|\d+", text) else f"({text})"


def _superscript(match: re.Match[str]) -> str:
    text = match[2].strip()
    return f"{match[1]}{text}" if re.fullmatch(r"-?\w+", text) else f"{match[1]}({text})"


def _sign(match: re.Match[str]) -> str:
    name = match[1]
    if name in _DROPPED:
        return ""
    if name == "quad":
        return "  "
    sign = _SIGNS.get(name)
    if sign is None:
        return f" {name} "
    before = match.string[: match.start()]
    if sign in _RELATIONS:
        return f" {sign} "
    # a letter keeps its space before a word or a sign with one: α for all, ξ + ρ
    word = match[0].endswith(" ") and re.match(r"[a-z]{2}|[-+=<>] ", match.string[match.end() :])
    if word and sign.isalpha():
        sign += " "
    # a power and the letter after it: 2q^2 α, not 2q^2α
    return f" {sign}" if re.search(r"\^\w$", before) else sign
