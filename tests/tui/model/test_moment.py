"""A moment: all that a step brought, once."""

from tests.tui.model.kit import NOTHING, of_the_house, timeline
from tui.model.moment import moment
from tui.model.places import place_name
from tui.model.timeline import Timeline


def told(play: Timeline) -> list[tuple[str, str]]:
    return [(place_name(play, at), text) for at in range(len(play)) for text in moment(play, at)]


def test_each_thing_is_told_at_the_step_that_brought_it():
    assert told(timeline()) == [
        ("1.load", "customer: quero"),
        ("1.understand", "call understand"),
        ("1.decide", "pedido starts"),
        ("1.speak", "call speak"),
        ("1.settle", "pedido/quem collect ok"),
        ("1.settle", "assistant: Quem é?"),
        ("2.load", "customer: Bia"),
        ("2.understand", "call understand"),
        ("2.decide", 'nome: – → "Bia"  by understand call'),
        ("2.run", "did cobrar"),
        ("2.run", "visto: – → true  by action cobrar"),
        ("2.run", "pedido/quem collect ok"),
        ("2.run", "pedido/cobra do ok"),
        ("2.run", "pedido/pausa wait waiting"),
        ("2.run", "wake at 2026-01-05 11:00Z  pedido#m1:pausa:1767610800000"),
        ("2.speak", "call speak"),
        ("2.settle", "idle idle ok"),
        ("2.settle", "assistant: Certo, Bia."),
        ("3.load", "event oi"),
        ("3.ingest", "aviso starts"),
        ("3.run", "aviso/a say ok"),
        ("3.run", "assistant: Pronto!"),
        ("3.return", "aviso ends: end"),
        ("4.load", "wake pedido#m1:pausa:1767610800000"),
        ("4.ingest", "pedido/pausa wait ok  no-reply: The wait is over."),
        ("4.run", "pedido/fim say ok"),
        ("4.run", "assistant: Tchau, Bia!"),
        ("4.return", "pedido ends: end"),
    ]


def test_a_turn_that_raised_tells_where_it_stopped_and_why():
    play = timeline("- {message: oi}")
    assert told(play)[1:] == [
        ("1.understand", "call understand"),
        *((f"1.{phase}", "! the turn never came to this phase") for phase in ("decide", "run")),
        *((f"1.{phase}", "! the turn never came to this phase") for phase in ("speak", "settle")),
        ("1.return", "! the turn never came to this phase"),
        ("1.return", "! the turn failed: unscripted understand call"),
        ("1.return", "✗ line 3  model: turn 1 (line 3): unscripted understand call"),
    ]


def test_what_the_host_does_is_told_with_what_it_carries():
    play = timeline("- {event: oi, payload: {o: bolo}}\n- {start: aviso, input: {o: bolo}}")
    assert [text for _, text in told(play) if "event" in text or "host" in text] == [
        'event oi {"o":"bolo"}',
        "the host starts aviso",
    ]


def test_every_message_and_every_outcome_of_the_house_is_told_once():
    for play in of_the_house():
        texts = [text for _, text in told(play)]
        results = [turn.result for turn in play.turns if turn.result is not None]
        said = [message.text for result in results for message in result.messages]
        assert [it for it in texts if it.startswith("assistant: ")] == [
            f"assistant: {text}" for text in said
        ]
        started = [run.flow_id for result in results for run in result.started]
        assert sorted(it for it in texts if it.endswith(" starts")) == sorted(
            f"{name} starts" for name in started
        )


def test_a_play_without_turns_brings_nothing():
    assert list(moment(NOTHING, 0)) == []
