"""Phrases and exclusions."""

import pytest

from falai.text.phrases import split_phrases


@pytest.mark.parametrize(
    ("written", "matches", "exclusions"),
    [
        (None, (), ()),
        ([], (), ()),
        ("quer preço", ("quer preço",), ()),
        ("!já comprou", (), ("já comprou",)),
        (["a", "!b", "c", "! d "], ("a", "c"), ("b", "d")),
        (["", "  ", "!", " ! "], (), ()),
        (["que legal!", "a ! b"], ("que legal!", "a ! b"), ()),
        ([" a ", " !b"], ("a",), ("b",)),
        (["!!x"], (), ("!x",)),
    ],
)
def test_split_phrases(
    written: str | list[str] | None, matches: tuple[str], exclusions: tuple[str]
):
    assert split_phrases(written) == (matches, exclusions)
