"""Shapes are read at their places, and refused in words."""

from pathlib import Path

import pytest

from simulator.load import Document
from simulator.place import ScenarioFileError
from simulator.spot import Spot, described

TEXT = """\
a: {b: [1, x], c: null}
t: text
n: 3
f: 1.5
y: true
d: 2d
i: 2026-01-05T09:00:00Z
e: "${now}"
"""


@pytest.fixture
def spot() -> Spot:
    return Document(Path("s.yaml"), TEXT).spot


def test_moving(spot: Spot):
    assert spot.at("a").at("b").at(1).value == "x"
    assert spot.at("a").get("c") is None
    assert spot.at("a").has("c")
    assert spot.get("no") is None
    assert repr(spot.at("t")) == "Spot('text', at s.yaml:2:4)"


def test_names(spot: Spot):
    assert spot.name == "the file"
    assert spot.at("a").at("b").at(1).name == "b[1]"
    assert Spot(1, spot.source, ("turns", 0, "race", 1, 2)).name == "race[1][2]"
    assert Spot(1, spot.source, (3,)).name == "[3]"


def test_shapes(spot: Spot):
    assert spot.at("t").text() == "text"
    assert spot.at("n").whole() == spot.at("n").number() == 3
    assert spot.at("f").number() == 1.5
    assert spot.at("y").flag() is True
    assert spot.at("d").duration() == 172_800_000
    assert spot.at("i").instant() == "2026-01-05T09:00:00Z"
    assert spot.at("e").instant() == "${now}"
    assert spot.at("t").word(("text", "other")) == "text"
    assert [key for key, _ in spot.at("a").entries()] == ["b", "c"]
    assert spot.need("t").value == "text"


REFUSALS = [
    ("n", Spot.text, "3:4: n must be text, not the number 3. Put it in quotes."),
    ("a", Spot.text, "1:4: a must be text, not a mapping."),
    ("t", Spot.items, '2:4: t must be a list, not the text "text".'),
    ("t", Spot.mapping, '2:4: t must be a mapping, not the text "text".'),
    ("y", Spot.whole, "5:4: y must be a whole number, 0 or more, not true."),
    ("f", Spot.whole, "4:4: f must be a whole number, 0 or more, not the number 1.5."),
    ("y", Spot.number, "5:4: y must be a number, 0 or more, not true."),
    ("t", Spot.flag, '2:4: t must be true or false, not the text "text".'),
    (
        "t",
        Spot.duration,
        '2:4: t is no duration: the text "text". '
        "Write a number and one of s m h d, such as 30s, 1.5h or 2d.",
    ),
    (
        "t",
        Spot.instant,
        '2:4: t is no time: the text "text". Write a UTC time such as 2026-01-05T09:00:00Z.',
    ),
    (
        "t",
        lambda spot: spot.word(("one", "two")),
        '2:4: t cannot be the text "text". Write one of: one, two.',
    ),
    (
        "a",
        lambda spot: spot.word(("one", "two")),
        "1:4: a cannot be a mapping. Write one of: one, two.",
    ),
    ("a", lambda spot: spot.need("c"), "1:4: a has no c. Add c."),
    ("a", lambda spot: spot.mapping(("b",)), '1:16: unknown key "c". Write b.'),
]


@pytest.mark.parametrize(("key", "read", "message"), REFUSALS)
def test_refusals(spot: Spot, key: str, read, message: str):
    with pytest.raises(ScenarioFileError) as caught:
        read(spot.at(key))
    assert str(caught.value) == f"s.yaml:{message}"


def test_texts_are_checked_one_by_one(spot: Spot):
    with pytest.raises(ScenarioFileError, match=r"^s\.yaml:1:9: b\[0\] must be text"):
        spot.at("a").at("b").texts()


def test_a_long_text_is_cut():
    assert described("x" * 70) == f'the text "{"x" * 60}…"'
