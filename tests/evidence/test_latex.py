"""LaTeX accents as arXiv metadata has them."""

from __future__ import annotations

import pytest

from ideatrail.evidence.latex import plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"C. Bal\'azs", "C. Balázs"),
        (r"H\"{o}ld{\'e}r and G{\"o}del", "Höldér and Gödel"),
        (r"\v{C}ech, \v Cech, \c{c}a", "Čech, Čech, ça"),
        (r"{\o}re M\o ller \L{}ukasz Stra\ss e", "øre Møller Łukasz Straße"),
        (r"na\"{\i}ve \'\i", "naïve í"),
        (r"Erd{\H o}s \~n \AA ngstr\"om", "Erdős ñ Ångström"),
        (r"{\it tritronqu\'ee} \emph{and} {BERT} \& co", "tritronquée and BERT & co"),
        (r"$\alpha'$ and $\'a{b}$ stay", r"$\alpha'$ and $\'a{b}$ stay"),
        ("broken\n  over   lines", "broken over lines"),
        ("no LaTeX: 50% {", "no LaTeX: 50% {"),
    ],
)
def test_accents_become_letters(text: str, expected: str) -> None:
    assert plain(text) == expected
