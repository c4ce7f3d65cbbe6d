"""Texts on a line: as wide as there is room, nothing lost, nothing that a terminal would obey."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.model.shown import cells, column, cut, shown, value, wrapped

SPECIAL = "\n\r\t\x00\x1b\x7f\x85\u200b\u200d\u202e\u2028\u2066\ufeff\ufe0f\u0301\ud800"
"""Signs that move the cursor, turn the direction, take no column, or are no text at all."""
TEXTS = st.text(
    st.one_of(
        st.sampled_from(f"ab   .[]/é世界🙂👩👍🏽{SPECIAL}"),
        st.characters(exclude_categories=["Cn"]),
    )
)
WIDTHS = st.integers(-2, 60)


def squeezed(text: str) -> str:
    """A text without its spaces."""
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("dois\nversos", "dois ⏎ versos"),
        ("dois\r\nversos", "dois ⏎ versos"),
        ("a\tb", "a\\x09b"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\u202eabc", "\\u202eabc"),
        ("a\u200bb", "a\\u200bb"),
        ("\U000e0001", "\\ue0001"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("[/] [stage=x:", "[/] [stage=x:"),
    ],
)
def test_what_a_terminal_would_obey_is_seen_instead(text: str, seen: str) -> None:
    assert shown(text) == seen


@pytest.mark.parametrize(
    ("text", "columns"),
    [("abc", 3), ("世界", 4), ("🙂", 2), ("e\u0301", 1), ("❤\ufe0f", 2), ("", 0)],
)
def test_signs_take_as_many_columns_as_a_terminal_gives_them(text: str, columns: int) -> None:
    assert cells(text) == columns


@given(st.text(st.characters(max_codepoint=0x25FF)) | st.text(st.sampled_from("❤\ufe0f🙂👩👧世")))
def test_no_text_counts_as_narrower_than_it_is_drawn(text: str) -> None:
    assert cells(shown(text)) >= cell_len(shown(text))


@pytest.mark.parametrize(
    ("text", "width", "kept"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("世界世界", 7, "世界世…"),
        ("世界世界", 6, "世界…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("abc", -1, ""),
        ("a\nb", 4, "a ⏎…"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
    ],
)
def test_what_is_too_long_ends_in_an_ellipsis(text: str, width: int, kept: str) -> None:
    assert cut(text, width) == kept


@given(TEXTS, WIDTHS)
def test_a_cut_text_is_one_printable_line_that_fits(text: str, width: int) -> None:
    kept = cut(text, width)
    assert cells(kept) <= max(0, width)
    assert all(sign.isprintable() or sign == "\u200d" for sign in kept)
    assert kept == shown(text) or not kept or kept.endswith("…")


@given(TEXTS, st.integers(0, 60))
def test_a_column_is_exactly_as_wide_as_it_is_to_be(text: str, width: int) -> None:
    assert cells(column(text, width)) == width


@pytest.mark.parametrize("sign", ["x", "\u0301", "\n"])
def test_a_text_too_long_to_be_looked_at_whole_says_that_there_is_more(sign: str) -> None:
    assert cut(sign * 5_000, 20_000).endswith("…")


def test_no_value_is_a_dash_and_any_other_is_json() -> None:
    assert [value(it) for it in (None, "", 0, False, [], "é\n")] == [
        "–", '""', "0", "false", "[]", '"é\\n"',
    ]  # fmt: skip


# --- wrapping -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", [""]),
        ("um dois três", ["um dois", "três"]),
        ("um\n\ndois", ["um", "", "dois"]),
        ("um  dois", ["um  dois"]),
        ("abcd efgh", ["abcd", "efgh"]),
        ("abcdefg hi", ["abcdefg", "hi"]),
        ("abcdefghijk", ["abcdefgh", "ijk"]),
        ("  recuado", ["  recuad", "o"]),
        ("世界世界世", ["世界世界", "世"]),
        ("          ", [""]),
        ("um       dois", ["um", "dois"]),
    ],
)
def test_a_text_is_broken_between_words_where_it_can(text: str, rows: list[str]) -> None:
    assert list(wrapped(text, 8)) == rows


@given(TEXTS, st.integers(2, 40))
@example("世界" * 30, 7)
@example("x" * 5_000, 33)
def test_wrapping_loses_nothing_but_spaces_and_every_line_fits(text: str, width: int) -> None:
    rows = list(wrapped(text, width))
    assert all(cells(row) <= width and "\n" not in row for row in rows)
    paragraphs = text.replace("\r\n", "\n").split("\n")
    assert squeezed("".join(rows)) == squeezed("".join(map(shown, paragraphs)))


@given(TEXTS, st.integers(2, 40))
def test_wrapping_what_is_wrapped_changes_nothing(text: str, width: int) -> None:
    rows = list(wrapped(unicodedata.normalize("NFC", text), width))
    assert [again for row in rows for again in wrapped(row, width)] == rows
