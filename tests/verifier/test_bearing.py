"""Claims laid beside their quotes: what turns one round, and what does not."""

from __future__ import annotations

import pytest

from ideatrail.verifier.bearing import turned

QUOTE = (
    "Experimental results show that the cascade improves accuracy by 15% over early exiting, but "
    "it does not help on long documents."
)


@pytest.mark.parametrize(
    "claim",
    [
        "The cascade does not improve accuracy by 15% over early exiting",
        "The cascade reduces accuracy by 15% over early exiting",
        "Lee et al. (2020) report that the cascade never improves accuracy over early exiting",
        "The cascade improves accuracy by 25% over early exiting",
        "Results show that the cascade can't improve accuracy by 15% over early exiting",
    ],
)
def test_turned_round(claim: str) -> None:
    assert turned(claim, [QUOTE])


@pytest.mark.parametrize(
    "claim",
    [
        "The cascade improves accuracy by 15% over early exiting",
        "Lee et al. (2020) report that their cascade improves accuracy by 15% over early exiting",
        "Early exiting leaves accuracy on the table that a cascade can win back",
        "In Lee et al. (2020), the cascade does not help on long documents",
        "Nothing is known of short documents",
    ],
)
def test_not_turned_round(claim: str) -> None:
    assert not turned(claim, [QUOTE])


def test_the_nearest_quote_decides() -> None:
    other = "Accuracy falls on long documents when the cascade is used."
    assert not turned("The cascade improves accuracy by 15% over early exiting", [other, QUOTE])
    tail = "The method is most likely to be beneficial."
    assert turned("The method is most likely to be harmful", [tail])
