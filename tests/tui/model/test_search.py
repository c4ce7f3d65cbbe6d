"""Search: what is found where, and the walk from hit to hit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.profile import checked
from tests.tui.model.kit import NOTHING, drawn, of_the_house, timeline
from tui.model.breakpoints import read_breakpoint
from tui.model.places import place_name
from tui.model.search import Hit, Index, next_hit
from tui.model.timeline import Timeline

TALK = timeline()
INDEX = Index(TALK)
WORDS = ("bia", "e", "pedido", "cobra", "quem", "zebra")


def found(text: str) -> list[tuple[str, str]]:
    return [(place_name(TALK, hit.at), hit.pane) for hit in INDEX.find(text)]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("QUERO", [("1.load", "conversation"), ("1.understand", "prompt"), ("1.speak", "prompt")]),
        ("Quem é?", [("1.speak", "calls"), ("1.settle", "conversation")]),
        ("tchau, bia", [("4.run", "conversation")]),
        ('nome: "bia"', [("2.decide", "state")]),
        ("visto: true", [("2.run", "state")]),
        ("no-reply", [("4.ingest", "outcomes")]),
        ("cobrar", [("2.run", "conversation")]),
        ("aviso starts", [("3.ingest", "conversation")]),
        ("aviso a", [("3.run", "outcomes")]),
        ("pausa:1767", [("2.run", "wakes"), ("4.load", "conversation")]),
        ("zebra", []),
        ("", []),
    ],
)
def test_a_text_is_found_where_it_came_about(text: str, places: list[tuple[str, str]]):
    hits = found(text)
    assert [hit for hit in hits if hit in places] == places
    assert len(hits) == len(places) or text == "QUERO"


def test_an_error_is_found():
    play = timeline("- {message: oi, model: {understand: {fail: timeout}}}")
    assert play.turns[0].error is not None
    text = str(play.turns[0].error["message"])
    assert play.at(0) in [hit.at for hit in Index(play).find(text)]


def test_letters_are_one_whatever_their_case():
    play = timeline("- {event: oi}")
    assert Index(play).find("PRONTO!") == Index(play).find("pronto!") != []


def test_an_excerpt_shows_the_words_around_on_one_line():
    play = timeline("- {message: 'Ein\n\nWort, dann das Ziel am Ende'}")
    hit = Index(play).find("ziel")[0]
    assert hit == Hit(0, "conversation", "Ein Wort, dann das Ziel am Ende")


def test_an_excerpt_is_the_right_one_behind_letters_that_folding_makes_longer():
    play = timeline(f"- {{message: '{'ß' * 90} das Ziel {'a' * 90}'}}")
    hit = Index(play).find("ziel")[0]
    assert hit.excerpt == f"{'ß' * 25} das Ziel {'a' * 29}"


@checked
@given(drawn(), st.sampled_from(WORDS))
def test_hits_stand_in_the_order_of_the_steps_and_hold_the_text(play: Timeline, text: str):
    hits = Index(play).find(text)
    assert [hit.at for hit in hits] == sorted(hit.at for hit in hits)
    assert all(0 <= hit.at < len(play) and text in hit.excerpt.casefold() for hit in hits)


def test_all_that_was_said_and_decided_in_the_house_is_found():
    for play in of_the_house():
        index = Index(play)
        for record in play.turns:
            if record.result is None:
                continue
            texts = [message.text for message in record.result.messages]
            texts += [line.code for line in record.result.outcomes if line.code]
            texts += [run.flow_id for run in record.result.started]
            assert all(index.find(text.upper()) for text in texts if text)


@checked
@given(drawn(), st.sampled_from(WORDS), st.data())
def test_next_and_previous_are_those_of_a_scan(play: Timeline, text: str, data: st.DataObject):
    at = data.draw(st.integers(0, max(0, len(play) - 1)))
    hits = Index(play).find(text)
    assert next_hit(hits, at, 1) == next((hit for hit in hits if hit.at > at), None)
    assert next_hit(hits, at, -1) == next((hit for hit in hits[::-1] if hit.at < at), None)


@checked
@given(drawn(), st.sampled_from(WORDS), st.sampled_from([-1, 1]))
def test_the_walk_comes_by_every_step_with_a_hit_and_ends(
    play: Timeline, text: str, direction: int
):
    hits = Index(play).find(text)
    at, seen = (-1 if direction > 0 else len(play)), list[int]()
    while (hit := next_hit(hits, at, direction)) is not None:
        at = hit.at
        seen.append(at)
    assert seen == sorted({hit.at for hit in hits})[::direction]


def test_a_start_that_was_refused_is_found_where_its_breakpoint_stops():
    refused = [
        (play, skip.flow_id, skip.code)
        for play in of_the_house()
        for record in play.turns
        for skip in (record.result.skipped if record.result else ())
    ]
    assert refused
    for play, flow, code in refused:
        steps = {hit.at for hit in Index(play).find(f"{flow} {code}") if hit.pane == "outcomes"}
        assert steps
        assert steps <= set(read_breakpoint(f"code:{code}").stops(play))


def test_nothing_is_found_where_no_turn_was_played():
    assert Index(NOTHING).find("a") == []
    assert next_hit([], 0, 1) is None
