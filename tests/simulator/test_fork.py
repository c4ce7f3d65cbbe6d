"""A fork of a play: its own scenario, played on live, saved as a file that passes."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from falai import ModelCall, ModelReply, OfflineProvider
from simulator.continued import Continued
from simulator.find import find_scenarios
from simulator.fork import Edits, ForkError, NewReply, fork, position
from simulator.load import Document, load_document
from simulator.options import PlayOptions
from simulator.place import ScenarioFileError
from simulator.play import play
from simulator.reading import read_scenario
from simulator.rewritten import continued_text
from simulator.scenario import Scenario
from simulator.trace import ScenarioRecord
from tests.simulator.kit import TIMER, agent, flow, say, text_of

ROOT = Path(__file__).parents[2]
ASKER = agent(
    flow(
        "f",
        {"id": "quem", "prompt": "Pergunte.", "collect": ["nome"]},
        {"id": "pausa", "wait": "2h"},
        say("Tchau, {{data.nome}}!", "fim"),
        on=[{"message": ["quer"]}],
    ),
    fields={"nome": {"type": "string"}},
    idle={"prompt": "Responda."},
)
TALK = """
- message: quero
  model:
    understand: {flows: {f: 90}}
    speak: {message: Quem é?}
  expect: {replies: [Quem é?]}
- message: Bia
  model:
    understand: {fields: {nome: Bia}}
    speak: {message: "Oi, Bia!"}
  expect: {data: {nome: Bia}}
- advance: 2h
  fired: [{expect: {replies: ["Tchau, Bia!"]}}]
"""


def scenario_of(turns: str, **head: Any) -> Scenario:
    [scenario] = read_scenario(Document(Path("s.yaml"), text_of(turns, **head)))
    return scenario


def played(scenario: Scenario) -> ScenarioRecord:
    return asyncio.run(play(scenario))


class Asked:
    """Answers what neither script nor tape does, and keeps what it was asked."""

    def __init__(self) -> None:
        self.calls: list[ModelCall] = []
        self._stand_in = OfflineProvider()

    async def __call__(self, call: ModelCall) -> ModelReply:
        self.calls.append(call)
        return await self._stand_in.generate(call)


NO_EDITS = Edits()


def forked(turn: int, edits: Edits = NO_EDITS, *, rest: bool = False) -> Scenario:
    scenario = scenario_of(TALK, agent=ASKER)
    return fork(scenario, played(scenario), turn, edits, rest=rest)


def went_on(scenario: Scenario, *said: str) -> tuple[Continued, Asked]:
    asked = Asked()
    live = Continued(scenario, asked)

    async def go() -> None:
        await live.play()
        for text in said:
            await live.say(text)

    asyncio.run(go())
    live.close()
    return live, asked


def replies(live: Continued) -> list[list[str]]:
    return [
        [message.text for message in turn.result.messages] if turn.result else []
        for turn in live.record().turns
    ]


def passes(live: Continued, folder: Path, since: int = 1) -> ScenarioRecord:
    """Save it, play the file, and see that it passes and that the same came of it."""
    file = folder / "saved.yaml"
    file.write_text(continued_text(live, title="T", file=file, since=since), encoding="utf-8")
    [scenario] = read_scenario(load_document(file))
    record = played(scenario)
    assert record.failures == []
    assert record.turns[-1].result == live.record().turns[-1].result
    return record


def test_a_fork_plays_up_to_its_turn_and_asks_nobody():
    live, asked = went_on(forked(1))
    assert replies(live) == [["Quem é?"], ["Oi, Bia!"]]
    assert asked.calls == []
    assert live.record().status == "passed"


def test_another_message_asks_only_for_what_the_script_lacks(tmp_path: Path):
    live, asked = went_on(forked(0, Edits(message="quero sim")), "sou a Rita")
    assert [turn.input["message"] for turn in live.record().turns] == ["quero sim", "sou a Rita"]
    assert [call.purpose for call in asked.calls] == ["understand", "speak"]
    session = live.record().turns[-1].result
    assert session is not None
    assert session.session.data == {"nome": "Rita"}
    passes(live, tmp_path)


def test_another_reply_leads_elsewhere(tmp_path: Path):
    reply = NewReply(purpose="understand", index=0, reply={"fields": {"nome": "Rita"}})
    live, asked = went_on(forked(1, Edits(reply=reply), rest=True))
    assert replies(live)[-1] == ["Tchau, Rita!"]
    assert asked.calls == []
    passes(live, tmp_path, since=2)


def test_a_field_that_is_set_makes_a_scenario_that_begins_there(tmp_path: Path):
    live, _ = went_on(forked(2, Edits(data={"nome": "Zoé"})))
    assert replies(live) == [["Tchau, Zoé!"]]
    record = passes(live, tmp_path)
    assert len(record.turns) == 1


def test_a_field_that_is_taken_away_is_asked_for_again(tmp_path: Path):
    live, asked = went_on(forked(1, Edits(data={"nome": None}, message="oi")))
    assert live.record().turns[0].result is not None
    assert asked.calls == []
    passes(live, tmp_path)


def test_another_time_moves_the_turn_and_keeps_its_keys(tmp_path: Path):
    live, _ = went_on(forked(1, Edits(clock="2026-01-06T10:00:00Z")))
    turns = live.record().turns
    assert [turn.now for turn in turns] == ["2026-01-05T09:00:00.000Z", "2026-01-06T10:00:00.000Z"]
    assert turns[1].input["id"] == "m2"
    passes(live, tmp_path)


def test_a_wake_takes_another_reply(tmp_path: Path):
    scenario = scenario_of(
        """
        - {event: oi}
        - advance: 1h
        """,
        agent=agent(flow("f", {"id": "a", "prompt": "Fale."}, on=[{"event": "oi", "after": "1h"}])),
    )
    asked = Asked()
    live = Continued(scenario, asked)
    asyncio.run(live.play())
    live.close()
    reply = NewReply(purpose="speak", index=0, reply={"message": "Voltei!"})
    made = fork(scenario, live.record(), 1, Edits(reply=reply))
    again, nobody = went_on(made)
    assert replies(again)[-1] == ["Voltei!"]
    assert nobody.calls == []
    passes(again, tmp_path, since=2)


def test_the_original_stays_as_it_is():
    scenario = scenario_of(TALK, agent=ASKER)
    before = msgspec.json.encode(scenario.spot.value)
    fork(scenario, played(scenario), 1, Edits(message="x", data={"nome": "y"}), rest=True)
    assert msgspec.json.encode(scenario.spot.value) == before


@pytest.mark.parametrize(
    ("turn", "edits", "message"),
    [
        (2, Edits(message="oi"), "turn 3.1 is no message"),
        (
            0,
            Edits(reply=NewReply(purpose="speak", index=1, reply={"message": "x"})),
            "turn 1 made 1 speak calls",
        ),
    ],
)
def test_an_edit_that_a_turn_cannot_take_is_refused(turn: int, edits: Edits, message: str):
    with pytest.raises(ForkError, match=message):
        forked(turn, edits)


def test_a_reply_that_no_scenario_can_hold_is_refused():
    reply = NewReply(purpose="speak", index=0, reply={"mesage": "x"})
    with pytest.raises(ScenarioFileError, match='unknown key "mesage"'):
        forked(0, Edits(reply=reply))


def test_a_wake_that_comes_due_while_live_is_of_its_own_session():
    scenario = scenario_of(
        """
        - {event: oi, session: a}
        - {event: pago}
        """,
        agent=TIMER,
    )
    live = Continued(scenario, Asked())

    async def go() -> None:
        await live.play()
        await live.wait("3h")

    asyncio.run(go())
    live.close()
    turns = live.record().turns[-2:]
    assert [turn.input["sessionId"] for turn in turns] == ["a", "s1"]


@pytest.mark.parametrize("file", find_scenarios([ROOT / "scenarios"]), ids=lambda file: file.stem)
def test_every_scenario_forks_anywhere_goes_on_live_and_is_saved(file: Path, tmp_path: Path):
    for scenario in read_scenario(load_document(file)):
        record = asyncio.run(play(scenario, PlayOptions()))
        for turn in range(0, len(record.turns), 3):
            for rest in (False, True):
                made = fork(scenario, record, turn, NO_EDITS, rest=rest)
                live, _ = went_on(made, "e agora?")
                number = position(record.turns[turn])[0]
                passes(live, tmp_path, since=number)
