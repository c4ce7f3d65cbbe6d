"""The passage of a long text that is shown."""

import pytest

from simulator.excerpt import excerpt, matched_passage, nearest_match, nearest_passage

LONG = f"{'a' * 100}MEIO{'b' * 100}"


def test_a_short_text_stays_whole():
    assert excerpt("x" * 90, (80, 90)) == "x" * 90


@pytest.mark.parametrize(
    ("span", "shown"),
    [
        ((100, 104), f"…{'a' * 30}MEIO{'b' * 56}…"),
        (None, f"{'a' * 90}…"),
        ((0, 3), f"{'a' * 90}…"),
        ((200, 204), f"…{'b' * 90}"),
        ((100, 180), f"…{'a' * 10}MEIO{'b' * 76}…"),
        ((100, 204), f"…MEIO{'b' * 86}…"),
    ],
)
def test_a_long_text_is_cut_around_the_passage(span: tuple[int, int] | None, shown: str):
    assert excerpt(LONG, span) == shown


def test_the_nearest_passage_is_where_the_words_would_begin():
    text = "bom dia, Oi Bia, tudo bem com você?"
    span = nearest_passage("Oi Ana, tudo bem?", text)
    assert span is not None
    assert text[slice(*span)] == "Oi Bia, tudo bem "
    assert nearest_passage("xyz", text) is None
    assert nearest_passage("ab", "xbx") is None


def test_the_nearest_match_is_that_of_the_longest_beginning():
    assert nearest_match("dia (b|c) e", "um dia b, outro") == (3, 8)
    assert nearest_match("^b", "ab") is None
    assert nearest_match("(", "a(") is None


def test_what_a_matcher_found():
    assert matched_passage({"$startsWith": "a", "$contains": "c"}, "abc") == (2, 3)
    assert matched_passage("abc", "abc") is None
    assert matched_passage({"$length": 3}, "abc") is None
