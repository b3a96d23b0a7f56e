"""A proposal's own date, and dates that are not."""

from __future__ import annotations

import pytest

from ideatrail.proposals.dates import parse_date, stated_date


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-06-30", "2024-06-30"),
        ("2025-03-07 14:46:46", "2025-03-07"),
        ("30 June 2024", "2024-06-30"),
        ("June 30th, 2024", "2024-06-30"),
        ("Jun. 2024", "2024-06"),
        ("30. Juni 2024", "2024-06-30"),
        ("3 de mayo de 2023", "2023-05-03"),
        ("2024年6月30日", "2024-06-30"),
        ("2024", "2024"),
        ("2024-06", "2024-06"),
        ("03/04/2024", None),
        ("30 February 2024", None),
        ("version 20240", None),
        ("soon", None),
    ],
)
def test_dates_are_parsed_or_left(text: str, expected: str | None) -> None:
    assert parse_date(text) == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("# T\n\nDate: 2024-06-15\n\nText.", "2024-06-15"),
        (
            "# T\n\n*Draft of June 30, 2024. For discussion; no experiment yet.*\n\nText.",
            "2024-06-30",
        ),
        ("# T\n\nText.\n\nLast touched: 15 May 2024", "2024-05-15"),
        ("A Title\nProposal, 2023-12-01\n\nText.", "2023-12-01"),
        ("# T\n\n(3 May 2023)\n\nText.", "2023-05-03"),
        ("# T\n\nv0.3, 2 March 2023\n\nText.", "2023-03-02"),
        ("# T\n\n**Last updated**: March 2024\n", "2024-03"),
        ("# T\n\nAn Author, 3 May 2024\n\nText.", "2024-05-03"),
        ("# T\n\n**Application Deadline:** 30 May 2018\n", None),
        ("# T\n\nIn June 2020 a study was published by others.\n", None),
        ("# T\n\n**Date**: Jun 23, 2021 → Jul 30, 2021\n", None),
        ("# T\n\nWe use the WMT20 data of 2020-01-01 to train.\n", None),
        ("# T\n\nText.\n" * 12 + "\nDate: 2020-01-01\n" + "\nMore text.\n" * 12, None),
        ("# T\n\nSubmission due June 3, 2024\n", None),
    ],
)
def test_only_a_stated_date_counts(head: str, expected: str | None) -> None:
    assert stated_date(head) == expected
