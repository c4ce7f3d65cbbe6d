"""Matching: plain values, exactness and every matcher."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.match import ABSENT, match, matches
from simulator.matchers import MATCHER_CHECKS

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, width=16)
    | st.text(max_size=4)
)
KEYS = st.sampled_from(["a", "b", "code", "message", "data", "class"])
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


# --- properties ---------------------------------------------------------------------------------


@given(JSON, st.booleans())
def test_a_value_matches_itself(value: Any, exactly: bool):
    assert match(value, value, exactly=exactly) == []
    assert match({"$exactly": value}, value) == []


@given(st.dictionaries(st.sampled_from("abcde"), JSON, min_size=1, max_size=4), st.data())
def test_a_further_key_breaks_exactly_only(value: dict[str, Any], data: st.DataObject):
    key = data.draw(st.sampled_from(sorted(value)))
    wanted = {name: item for name, item in value.items() if name != key}
    assert match(wanted, value) == []
    [mismatch] = match(wanted, value, exactly=True)
    assert (mismatch.path, mismatch.extra, mismatch.got) == ((key,), True, value[key])


@given(st.lists(JSON, max_size=6), st.randoms(use_true_random=False))
def test_unordered_matches_every_permutation(items: list[Any], rng: random.Random):
    shuffled = rng.sample(items, len(items))
    assert match({"$unordered": items}, shuffled) == []


@given(st.lists(JSON, min_size=1, max_size=6), st.data())
def test_unordered_misses_what_was_taken_away(items: list[Any], data: st.DataObject):
    index = data.draw(st.integers(0, len(items) - 1))
    rest = items[:index] + items[index + 1 :]
    assert not matches({"$unordered": items}, rest)
    assert not matches({"$unordered": rest}, items)


@given(JSON, JSON)
def test_not_is_the_opposite(wanted: Any, got: Any):
    assert matches({"$not": wanted}, got) is not matches(wanted, got)


@given(JSON, JSON, st.booleans())
def test_matches_says_what_match_lists(wanted: Any, got: Any, exactly: bool):
    assert matches(wanted, got, exactly=exactly) is (match(wanted, got, exactly=exactly) == [])


# --- what holds and what does not ---------------------------------------------------------------

HOLDS = [
    (30, 30.0),
    (None, None),
    (None, ABSENT),
    ({"a": None}, {}),
    ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}, "d": 3}),
    ([{"a": 1}], [{"a": 1, "b": 2}]),
    ([1, 2], (1, 2)),
    ({"$any": True}, 0),
    ({"$any": True}, False),
    ({"$any": True}, ""),
    ({"$absent": True}, ABSENT),
    ({"$absent": True}, None),
    ({"a": {"$absent": True}}, {}),
    ({"$exactly": {"a": None}}, {}),
    ({"$exactly": {"a": {"$any": True}}}, {"a": {"b": 1}}),
    ({"$exactly": [{"code": "x"}]}, [{"code": "x", "message": "words"}]),
    ({"$exactly": {"code": "x", "message": "mine"}}, {"code": "x", "message": "theirs"}),
    ({"$exactly": {"class": "E"}}, {"class": "E", "message": "words"}),
    ({"$includes": [2, {"a": 1}]}, [{"a": 1, "b": 2}, 2, 3]),
    ({"$includes": [1, 1]}, [1]),
    ({"$includes": []}, []),
    ({"$excludes": [4, {"a": 2}]}, [{"a": 1}, 2]),
    ({"$unordered": [{"a": 1}, {}]}, [{"a": 1}, {"a": 1}]),
    ({"$unordered": [{}, {"a": 1}]}, [{"a": 1}, {"b": 1}]),
    ({"$length": 2}, "ab"),
    ({"$length": 0}, []),
    ({"$length": {"$atLeast": 1}}, [1]),
    ({"$contains": "na"}, "Ana"),
    ({"$contains": ["A", "na"]}, "Ana"),
    ({"$regex": "^A.a$"}, "Ana"),
    ({"$regex": "n"}, "Ana"),
    ({"$startsWith": "A"}, "Ana"),
    ({"$atMost": 3}, 3.0),
    ({"$atLeast": "2026-01-05T09:00:00.000Z"}, "2026-01-05T09:00:00.001Z"),
    ({"$between": [1, 3]}, 1),
    ({"$between": [1, 3]}, 3),
    ({"$not": {"$any": True}}, ABSENT),
    ({"$not": None}, 1),
    ({"$oneOf": [1, {"$startsWith": "a"}]}, "ab"),
    ({"$oneOf": [None]}, ABSENT),
    ({"$atLeast": 1, "$atMost": 3}, 2),
]

FAILS = [
    (True, 1),
    (1, True),
    (False, None),
    ("1", 1),
    (1, ABSENT),
    ("a", ["a"]),
    ([1], [1, 2]),
    ([2, 1], [1, 2]),
    ({}, ABSENT),
    ({}, None),
    ([], None),
    ({"a": 1}, [1]),
    (None, 0),
    (None, ""),
    ({"$any": True}, ABSENT),
    ({"$any": True}, None),
    ({"$absent": True}, False),
    ({"$exactly": {"a": {}}}, {"a": {"b": 1}}),
    ({"$exactly": {}}, {"a": None}),
    ({"$exactly": {"a": 1}}, {"a": 1, "message": "m"}),
    ({"$exactly": {"class": "E", "message": "a"}}, {"class": "E", "message": "b"}),
    ({"$exactly": {"data": {"code": 1}}}, {"data": {"code": 1, "message": "m"}}),
    ({"$exactly": {"$includes": [{"a": 1}]}}, [{"a": 1, "b": 2}]),
    ({"code": "x", "message": "mine"}, {"code": "x", "message": "theirs"}),
    ({"$includes": [1]}, [2]),
    ({"$includes": []}, ABSENT),
    ({"$excludes": [1]}, [1]),
    ({"$excludes": [1]}, ABSENT),
    ({"$excludes": [{"a": 1}]}, [{"a": 1, "b": 2}]),
    ({"$unordered": [1, 1]}, [1, 2]),
    ({"$unordered": [1]}, [1, 1]),
    ({"$unordered": [1]}, 1),
    ({"$length": 2}, "abc"),
    ({"$length": 1}, {"a": 1}),
    ({"$length": 0}, ABSENT),
    ({"$contains": ["A", "x"]}, "Ana"),
    ({"$contains": "1"}, 1),
    ({"$regex": "^n"}, "Ana"),
    ({"$regex": "n"}, None),
    ({"$startsWith": "n"}, "Ana"),
    ({"$startsWith": "n"}, ABSENT),
    ({"$atMost": 3}, 4),
    ({"$atMost": 3}, True),
    ({"$atMost": 3}, "2"),
    ({"$atLeast": 3}, 2),
    ({"$atLeast": 3}, ABSENT),
    ({"$between": [1, 3]}, 4),
    ({"$between": [1, 3]}, "2"),
    ({"$not": 1}, 1.0),
    ({"$oneOf": [1, 2]}, 3),
    ({"$oneOf": []}, 1),
    ({"$atLeast": 1, "$atMost": 3}, 4),
]


@pytest.mark.parametrize(("wanted", "got"), HOLDS)
def test_holds(wanted: Any, got: Any):
    assert match(wanted, got) == []


@pytest.mark.parametrize(("wanted", "got"), FAILS)
def test_fails(wanted: Any, got: Any):
    assert match(wanted, got) != []


def test_every_matcher_is_tried_both_ways():
    def named(cases: list[Any]) -> set[str]:
        return {key for wanted, _ in cases if isinstance(wanted, dict) for key in wanted}

    assert set(MATCHER_CHECKS) <= named(HOLDS)
    assert set(MATCHER_CHECKS) <= named(FAILS)


# --- what a mismatch says -----------------------------------------------------------------------

SAYS = [
    ({"a": [{"b": "x"}]}, {"a": [{"b": "y"}]}, [(("a", 0, "b"), "it differs")]),
    ({"a": "3"}, {"a": 3}, [(("a",), "text was expected, not a number")]),
    ({"a": 3}, {"a": True}, [(("a",), "a number was expected, not true or false")]),
    ({"a": 3}, {}, [(("a",), "it is not there")]),
    ({"a": {}}, {}, [(("a",), "it is not there")]),
    ({"a": {}}, {"a": []}, [(("a",), "a mapping was expected, not a list")]),
    ({"a": []}, {"a": "x"}, [(("a",), "a list was expected, not text")]),
    ({"a": None}, {"a": 3}, [(("a",), "nothing was expected here")]),
    ({"$exactly": {}}, {"a": 1}, [(("a",), "nothing was expected here")]),
    ([1, 2, 3], [1, 3], [((1,), "missing: the list has 2 elements, not 3")]),
    ([1], [], [((0,), "missing: the list has 0 elements, not 1")]),
    ([], [7], [((0,), "not expected: the list has 1 element, not 0")]),
    (
        [1, 2],
        [1, 8, 9, 2],
        [
            ((1,), "not expected: the list has 4 elements, not 2"),
            ((2,), "not expected: the list has 4 elements, not 2"),
        ],
    ),
    (
        [1, {"a": 2}, 3],
        [1, {"a": 5}],
        [
            ((), "the list has 2 elements, not 3; the first difference is at [1]"),
            ((1, "a"), "it differs"),
        ],
    ),
    ([1, 2, 3], [1, 5, 6], [((1,), "it differs"), ((2,), "it differs")]),
    (
        {"$unordered": [1, 2]},
        [2, 3],
        [((), "no element is left that is like this"), ((1,), "not expected in the list")],
    ),
    (
        {"$includes": [1, 4]},
        [1],
        [((), "no element of the list is like this; the nearest is [0]")],
    ),
    ({"$includes": [4]}, [], [((), "the list is empty")]),
    ({"$excludes": [1]}, [2, 1], [((1,), "no element may be like this")]),
    ({"$includes": [1]}, "x", [((), "a list was expected, not text")]),
    ({"$length": 2}, "abc", [((), "its length is 3")]),
    ({"$length": 2}, 5, [((), "text or a list was expected, not a number")]),
    ({"$contains": ["A", "x"]}, "Ana", [((), 'the text does not contain "x"')]),
    ({"$contains": "x"}, ABSENT, [((), "it is not there")]),
    ({"$regex": "x"}, "Ana", [((), "the text does not match the pattern")]),
    ({"$startsWith": "x"}, "Ana", [((), "the text does not start like this")]),
    ({"$atMost": 1}, 2, [((), "it is more than that")]),
    ({"$atLeast": 3}, 2, [((), "it is less than that")]),
    ({"$between": [3, 4]}, 2, [((), "it is not between these")]),
    ({"$atMost": 1}, "a", [((), "a number was expected, not text")]),
    ({"$not": 1}, 1, [((), "this was not to be")]),
    ({"$oneOf": [1]}, 2, [((), "it is none of these")]),
    ({"$any": True}, ABSENT, [((), "something was expected here")]),
]


@pytest.mark.parametrize(("wanted", "got", "said"), SAYS)
def test_says(wanted: Any, got: Any, said: list[Any]):
    assert [(mismatch.path, mismatch.message) for mismatch in match(wanted, got)] == said


def test_a_mismatch_knows_where_its_expectation_stands():
    wanted = {"a": {"$includes": [{"b": 1}, {"b": 2}]}, "c": {"$exactly": {"d": 1}}}
    got = {"a": [{"b": 1}], "c": {"d": 2}}
    included, exact = match(wanted, got)
    assert (included.path, included.at) == (("a",), ("a", "$includes", 1))
    assert (included.wanted, included.got) == ({"b": 2}, {"b": 1})
    assert (exact.path, exact.at) == (("c", "d"), ("c", "$exactly", "d"))


def test_nothing_is_told_apart_from_null():
    [missing] = match({"a": 1}, {})
    [null] = match({"a": 1}, {"a": None})
    [extra] = match({}, {"a": None}, exactly=True)
    assert (missing.got, missing.missing, missing.extra) == (None, True, False)
    assert (null.got, null.missing, null.extra) == (None, False, False)
    assert (extra.wanted, extra.missing, extra.extra) == (None, False, True)


# --- the nearest element ------------------------------------------------------------------------

OUTCOMES = [
    {"stepId": "w1", "code": "timeout", "runId": "f#1"},
    {"stepId": "w1", "code": "replied", "runId": "f#2", "data": {"nome": "Ana", "cidade": "Rio"}},
    {"stepId": "w2", "code": "replied", "runId": "f#1"},
]


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [
        ({"stepId": "w2", "code": "timeout", "runId": "f#1"}, 0),  # of two as near, the first
        ({"stepId": "w1", "code": "replied", "runId": "f#9"}, 1),
        ({"code": {"$startsWith": "re"}, "stepId": "w2", "runId": "f#9"}, 2),
        ({"stepId": "x", "code": "y"}, 0),
        ({"data": {"nome": "Ana", "cidade": "Recife"}}, 1),
        ({"stepId": "w3", "code": "timeout", "data": {"nome": "Ana", "cidade": "Recife"}}, 0),
        ({"code": "replid", "stepId": None}, 1),
    ],
)
def test_a_miss_shows_the_element_in_which_most_keys_match(wanted: Any, nearest: int):
    [mismatch] = match({"outcomes": {"$includes": [wanted]}}, {"outcomes": OUTCOMES})
    assert (mismatch.wanted, mismatch.got) == (wanted, OUTCOMES[nearest])
    assert mismatch.path == ("outcomes",)
    assert mismatch.at == ("outcomes", "$includes", 0)
    assert mismatch.message == f"no element of the list is like this; the nearest is [{nearest}]"


def test_of_texts_the_one_with_most_in_common_is_the_nearest():
    [mismatch] = match({"$includes": ["Oi, Ana!"]}, ["Até logo.", "Oi, Bia!", "Oi"])
    assert mismatch.got == "Oi, Bia!"


def test_under_exactly_too_much_is_what_keeps_the_nearest_apart():
    wanted, got = {"code": "replied", "stepId": "w2"}, {"$exactly": {"$includes": []}}
    got["$exactly"]["$includes"].append(wanted)
    [mismatch] = match(got, OUTCOMES)
    assert mismatch.got == OUTCOMES[2]


def test_an_empty_list_has_no_nearest_element():
    [mismatch] = match({"$includes": [{"a": 1}]}, [])
    assert (mismatch.wanted, mismatch.got, mismatch.missing) == ({"a": 1}, None, True)


# --- long texts ---------------------------------------------------------------------------------

PROMPT = f"{'começo ' * 40}O cliente se chama Ana Souza e mora no Rio. {'fim ' * 60}"


@pytest.mark.parametrize(
    "matcher",
    [
        {"$contains": "O cliente se chama Bia Souza"},
        {"$contains": ["fim fim", "se chama Ana Sousa"]},
        {"$regex": r"O cliente se chama (Bia|Eva) Souza"},
        {"$regex": r"se chama \w+ Souza e mora em \w+\."},
        {"$not": {"$contains": "Ana Souza"}},
        {"$not": {"$regex": "Ana S[a-z]+"}},
        {"$not": {"$contains": ["mora no Rio", "fim"]}},
        {"$not": {"$oneOf": ["x", {"$contains": "Ana Souza"}]}},
    ],
    ids=str,
)
def test_of_a_long_text_the_passage_in_question_is_shown(matcher: Any):
    [mismatch] = match(matcher, PROMPT)
    assert "se chama Ana Souza" in mismatch.got
    assert len(mismatch.got) <= 92
    assert (mismatch.got[0], mismatch.got[-1]) == ("…", "…")


def test_a_text_that_may_not_be_in_a_list_is_shown_around_what_was_found():
    [mismatch] = match({"$excludes": [{"$contains": "Ana Souza"}]}, ["a", PROMPT])
    assert "se chama Ana Souza" in mismatch.got
    assert mismatch.path == (1,)


@pytest.mark.parametrize(
    "matcher", [{"$contains": "xyz"}, {"$regex": "xyz"}, {"$regex": "^fim"}, {"$contains": "qqqq"}]
)
def test_where_nothing_is_like_it_a_long_text_is_shown_from_its_beginning(matcher: Any):
    [mismatch] = match(matcher, PROMPT)
    assert mismatch.got == f"{PROMPT[:90]}…"


def test_a_short_text_is_shown_whole():
    [mismatch] = match({"$not": {"$contains": "na"}}, "Ana")
    assert mismatch.got == "Ana"


def test_a_miss_of_several_texts_points_at_the_one_that_is_missing():
    first, second = match({"a": {"$contains": ["x", "A", "y"]}}, {"a": "Ana"})
    assert (first.at, second.at) == (("a", "$contains", 0), ("a", "$contains", 2))
    assert first.wanted == {"$contains": "x"}
    [alone] = match({"a": {"$contains": "x"}}, {"a": "Ana"})
    assert alone.at == ("a", "$contains")
