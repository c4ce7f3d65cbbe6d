"""What each key of the inspector does."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from textual.widgets import Input

from falai.providers.base import Chunk, ModelCall, ModelReply
from simulator.agentfile import load_agent
from simulator.find import find_scenarios
from simulator.load import load_document
from simulator.play import play as play_scenario
from simulator.reading import read_scenario
from simulator.trace import trace_of
from tests.simulator.conftest import Write
from tests.simulator.conftest import write as write
from tests.tui.pilot import ROOT, TRIAGE, Driver, drive, pressed
from tui.actions import ACTIONS
from tui.app import Inspector
from tui.attached import Attached
from tui.bindings import bindings
from tui.model.breakpoints import BreakpointError
from tui.screens.ask import AskScreen
from tui.screens.diff import DiffScreen
from tui.screens.inspect import InspectScreen
from tui.screens.runs import RunsScreen
from tui.screens.text import TextScreen

FAILING = """\
scenario: It greets
agent: {name: Ana, flows: [], idle: {prompt: Responda.}}
budget: {perTurn: 1, llmCalls: 1}
turns:
  - message: oi
    model: {speak: {message: "Oi!"}}
  - message: e agora?
    model: {speak: {message: "Sim."}}
    expect: {replies: ["Não."]}
  - message: tchau
    model: {speak: {message: "Tchau!"}}
"""


# --- moving ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ("", "1.load"),
        ("s", "1.ingest"),
        ("s s S", "1.ingest"),
        ("S", "1.load"),
        ("n", "2.load"),
        ("s n n N", "2.ingest"),
        ("N", "1.load"),
        ("c", "5.return"),
        ("c C", "1.load"),
        ("G", "5.return"),
        ("G g", "1.load"),
        ("G s", "5.return"),
        ("n b n n C", "2.load"),
        ("n b g c", "2.load"),
        ("n b g c c", "5.return"),
        ("down down", "3.load"),
        ("down enter", "2.return"),
        ("down enter apostrophe", "2.load"),
        ("e", "1.load"),
    ],
)
def test_keys_that_move(keys: str, place: str):
    assert pressed(*keys.split()) == place


def test_go_to_shows_where_it_would_lead_and_goes_there():
    async def play(driver: Driver) -> None:
        await driver.press("colon")
        driver.app.screen.query_one(Input).value = "9"
        await driver.settle()
        assert driver.has("hint", "there is no turn 9")
        await driver.type("3.decide")
        assert driver.place == "3.decide"
        await driver.press("colon", "escape")
        assert driver.place == "3.decide"
        await driver.press("colon")
        await driver.type("nowhere")
        assert driver.place == "3.decide"
        assert any("names no place" in told for told in driver.told)

    drive(play)


def test_play_steps_by_itself_until_a_key():
    async def play(driver: Driver) -> None:
        await driver.press("space")
        driver.screen._paced()
        driver.screen._paced()
        assert driver.place == "1.understand"
        await driver.press("G")
        assert driver.place == "1.understand"
        await driver.press("G")
        assert driver.place == "5.return"

    drive(play)


def test_the_mouse_moves_too():
    async def play(driver: Driver) -> None:
        await driver.pilot.click("#turns", offset=(4, 3))
        await driver.settle()
        assert driver.place == "3.load"
        await driver.pilot.click("#scrubber", offset=(119, 0))
        await driver.settle()
        assert driver.place == "5.return"
        await driver.pilot.click("#tabs", offset=(8, 0))
        await driver.settle()
        assert driver.screen.tab == "outcomes"

    drive(play)


# --- a play that failed ---------------------------------------------------------------------------


def test_it_opens_at_the_first_failure_with_wanted_and_got(write: Write):
    file = write("hello.yaml", FAILING)

    async def play(driver: Driver) -> None:
        assert (driver.place, driver.screen.tab) == ("2.return", "checks")
        assert driver.has("tab", "✗ line 9  replies[0]: it differs")
        assert driver.has("tab", 'wanted  "Não."')
        assert driver.has("tab", 'got     "Sim."')
        assert driver.has("bar", "calls 2/1!")
        assert driver.lines("turns")[1].startswith("✗")
        await driver.press("G", "E")
        assert driver.place == "2.return"

    drive(play, file)


def test_accept_shows_the_difference_and_writes_only_this_turn(write: Write):
    file = write("hello.yaml", FAILING)

    async def play(driver: Driver) -> None:
        await driver.press("x")
        await driver.until(lambda: isinstance(driver.app.screen, TextScreen))
        assert driver.has("text", '-    expect: {replies: ["Não."]}')
        assert driver.has("text", '+    expect: {replies: ["Sim."]}')
        await driver.press("escape")
        assert "Não." in file.read_text(encoding="utf-8")
        await driver.press("x")
        await driver.until(lambda: isinstance(driver.app.screen, TextScreen))
        await driver.press("enter")
        await driver.until(lambda: "Sim" in file.read_text(encoding="utf-8").split("expect")[1])
        await driver.until(lambda: not driver.has("turns", "✗"))

    drive(play, file)


def test_a_file_with_a_mistake_opens_with_its_place_and_loads_when_it_is_mended(write: Write):
    file = write("hello.yaml", FAILING.replace("turns:", "turns: ["))

    async def play(driver: Driver) -> None:
        assert driver.has("tab", "! error")
        assert driver.has("tab", "hello.yaml:5")
        await driver.press("s", "n", "c", "f", "b", "x", "u", "slash", "escape", "F")
        file.write_text(FAILING, encoding="utf-8")
        driver.app._stamps = dict.fromkeys(driver.app._stamps, 0)
        driver.app.look_at_disk()
        await driver.until(lambda: len(driver.lines("turns")) == 3)

    drive(play, file)


def test_a_path_that_is_not_there_is_told_and_the_screen_stays(tmp_path: Path):
    async def play(driver: Driver) -> None:
        assert isinstance(driver.app.screen, TextScreen)
        await driver.until(lambda: "no such file or" in " ".join(driver.lines("text")))

    drive(play, tmp_path / "none.yaml")


def test_a_trace_of_another_time_names_both_versions_and_loads_when_it_is_mended(write: Write):
    trace = trace_of([asyncio.run(play_scenario(read_scenario(load_document(TRIAGE))[0]))])
    text = msgspec.json.encode(trace).decode()
    file = write("trace.json", text.replace('"version":1', '"version":99', 1))

    async def play(driver: Driver) -> None:
        told = "a trace of version 99, and version 1 is known"
        await driver.until(lambda: told in " ".join(driver.lines("text")))
        file.write_text(text, encoding="utf-8")
        driver.app._stamps = {file: 0}
        driver.app.look_at_disk()
        await driver.until(lambda: isinstance(driver.app.screen, InspectScreen))
        await driver.until(lambda: len(driver.lines("turns")) == 5)
        await driver.press("2", "G")
        assert driver.has("tab", "registrar")
        await fork(driver)
        assert driver.has("bar", "FORK of trace.json") or driver.has("bar", "FORK of 03")

    drive(play, file)


# --- looking --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "tab", "shown"),
    [
        ("1", "state", "imovel"),
        ("2", "outcomes", "conhecer"),
        ("3", "prompt", "Where the conversation stands"),
        ("4", "calls", "understand"),
        ("5", "wakes", "silence:retomar"),
        ("6", "checks", "✓ pass"),
        ("F", "flow", "▸ confirmar"),
    ],
)
def test_each_tab(key: str, tab: str, shown: str):
    async def play(driver: Driver) -> None:
        await driver.press("n", "e", "colon")
        await driver.type("2.return")
        await driver.press(key)
        assert driver.screen.tab == tab
        assert driver.has("tab", shown)

    drive(play)


def test_breakpoints_are_set_listed_switched_and_removed():
    async def play(driver: Driver) -> None:
        await driver.press("n", "b")
        assert "●" in driver.lines("turns")[1]
        await driver.press("B")
        assert driver.has("list", "● at:2.load")
        await driver.press("a")
        await driver.type("code:asked-fixed")
        assert driver.has("list", "● code:asked-fixed")
        await driver.press("a")
        await driver.type("cod:x")
        assert any("Did you mean" in told for told in driver.told)
        await driver.press("home", "enter")
        assert driver.has("list", "○ at:2.load")
        await driver.press("x")
        assert not driver.has("list", "at:2.load")
        await driver.press("escape", "g", "c")
        assert driver.place == "2.speak"

    drive(play)


def test_watches_stay_on_top_and_break_when_they_change():
    async def play(driver: Driver) -> None:
        await driver.press("w")
        await driver.type("conta")
        assert driver.lines("tab")[:2] == ["watches", "  data.conta  –"]
        await driver.press("W", "enter")
        assert driver.has("list", "● data.conta")
        await driver.press("escape", "c")
        assert driver.place == "2.decide"
        assert driver.has("tab", "* data.conta  – → 480")
        await driver.press("W", "x", "escape")
        assert driver.lines("tab")[0] == "fields"
        await driver.press("w")
        await driver.type(" ")
        assert any("write a path" in told for told in driver.told)

    drive(play)


def test_who_set_the_chosen_field():
    async def play(driver: Driver) -> None:
        await driver.press("u")
        assert any("Choose a field" in told for told in driver.told)
        await driver.press("G")
        await driver.focus("tab")
        await driver.press("home", "down", "down", "u")
        assert driver.place == "4.decide"
        await driver.press("u")
        assert driver.place == "3.settle"
        await driver.press("U")
        assert driver.place == "4.decide"

    drive(play)


def test_search_counts_walks_and_ends():
    async def play(driver: Driver) -> None:
        await driver.press("slash")
        driver.app.screen.query_one(Input).value = "loja"
        await driver.settle()
        assert driver.has("hint", "3 hits")
        await driver.press("enter")
        assert driver.place == "3.load"
        assert driver.has("bar", "/loja 1/3")
        await driver.press("n")
        assert driver.screen.tab == "prompt"
        await driver.press("N", "escape", "n")
        assert driver.place == "4.load"
        await driver.press("slash")
        await driver.type("nowhere to be found")
        assert any("nowhere in this play" in told for told in driver.told)

    drive(play)


def test_outcomes_are_sorted_and_filtered():
    async def play(driver: Driver) -> None:
        await driver.press("G", "o", "o")
        assert driver.has("tab", "step↓")
        await driver.press("O")
        await driver.type("already-known")
        assert driver.screen.sitting.only == "already-known"
        assert not driver.has("tab", "registrar")
        await driver.press("O")
        await driver.type("")
        assert driver.has("tab", "registrar")

    drive(play)


def test_a_prompt_folds_and_shows_what_is_new():
    async def play(driver: Driver) -> None:
        await driver.press("G", "3")
        assert driver.has("tab", "▾ system: Persona")
        await driver.focus("tab")
        await driver.press("down", "down", "down", "enter")
        assert driver.has("tab", "▸ system: Persona")
        assert not driver.has("tab", "Você é a Ana")
        await driver.press("equals_sign")
        assert driver.has("tab", "against turn")
        assert any(line.startswith("+") for line in driver.lines("tab"))

    drive(play)


def test_what_is_chosen_opens_in_full_and_is_copied():
    async def play(driver: Driver) -> None:
        await driver.press("G", "4")
        await driver.focus("tab")
        await driver.press("down", "enter")
        assert isinstance(driver.app.screen, TextScreen)
        assert driver.has("text", "purpose: understand")
        await driver.press("y")
        assert driver.app.clipboard.startswith("purpose: understand")
        await driver.press("escape", "y")
        assert driver.told[-1].startswith("Copied")

    drive(play)


def test_a_pane_is_written_to_a_file_of_its_own(write: Write):
    write("x", "")

    async def play(driver: Driver) -> None:
        await driver.press("Y", "Y")

    drive(play)
    names = sorted(path.name for path in Path().glob("*.txt"))
    assert names == [
        "03-triage-asks-again-1.load-turns-2.txt",
        "03-triage-asks-again-1.load-turns.txt",
    ]
    assert "como func" in Path(names[1]).read_text(encoding="utf-8")


def test_help_is_about_the_focused_pane_and_every_key():
    async def play(driver: Driver) -> None:
        await driver.press("question_mark")
        text = "\n".join(driver.lines("text"))
        assert text.startswith("Turns:")
        assert all(act.does in text for act in ACTIONS)

    drive(play)


def test_narrow_screens_swap_two_panes_and_any_pane_zooms():
    async def play(driver: Driver) -> None:
        screen = driver.screen
        assert screen.query_one("#conversation").display
        assert not screen.query_one("#right").display
        await driver.press("v")
        assert not screen.query_one("#conversation").display
        assert screen.query_one("#right").display
        await driver.press("v", "z")
        assert screen.maximized is not None
        await driver.press("escape")
        assert screen.maximized is None

    drive(play, size=(80, 24))


# --- playing --------------------------------------------------------------------------------------


def test_what_was_recorded_is_not_gone_on_with():
    async def play(driver: Driver) -> None:
        await driver.press("i", "D")
        assert any("f leaves it here" in told for told in driver.told)
        assert any("a fork can be saved" in told for told in driver.told)
        await driver.press("d")
        assert any("nothing to compare with" in told for told in driver.told)

    drive(play)


async def fork(driver: Driver, **fields: str) -> None:
    await driver.press("f")
    for name, value in fields.items():
        driver.app.screen.query_one(f"#{name}", Input).value = value
    await driver.press("enter")
    await driver.until(lambda: isinstance(driver.app.screen, InspectScreen | AskScreen))


def test_a_fork_goes_on_live_and_is_saved(write: Write):
    write("x", "")

    async def play(driver: Driver) -> None:
        await driver.press("n")
        await fork(driver, message="vem uns 900")
        assert driver.has("bar", "FORK of 03-triage-asks-again.yaml@2.load")
        assert len(driver.lines("turns")) == 2
        await driver.press("i", "m")
        await driver.type("oi?")
        await driver.until(lambda: isinstance(driver.app.screen, AskScreen))
        await driver.press("f2")
        await driver.until(lambda: isinstance(driver.app.screen, InspectScreen))
        await driver.until(lambda: len(driver.lines("turns")) == 3)
        await driver.press("D")
        await driver.type("saved.yaml")
        assert driver.told[-1] == "Saved. Play it with: falai run saved.yaml"
        await driver.press("D")
        await driver.type("saved.yaml")
        assert "is there already" in driver.told[-1]
        await driver.press("d")
        assert isinstance(driver.app.screen, DiffScreen)
        assert driver.has("diff", "first differs at 2.ingest: input")
        await driver.press("n", "enter", "escape", "escape", "escape")
        assert driver.has("bar", "REPLAY")

    drive(play)
    assert Path("saved.yaml").exists()


def test_another_reply_and_another_field_fork_too():
    async def play(driver: Driver) -> None:
        await driver.press("n", "colon")
        await driver.type("2.decide")
        await fork(driver, reply="fields: {conta: 77}, asks: false")
        await driver.until(lambda: driver.talks_of("77 por"))
        await driver.press("escape")
        await fork(driver, fields="imovel: castelo")
        await driver.until(lambda: driver.talks_of("castelo"))

    drive(play)


def test_a_message_of_several_lines_forks_as_it_was(write: Write):
    text = FAILING.replace("message: oi", 'message: "oi\\ntudo bem?"').replace("Não", "Sim")
    file = write("hello.yaml", text.replace("budget", "# budget"))

    async def play(driver: Driver) -> None:
        await driver.press("g")
        await fork(driver)
        await driver.until(lambda: driver.talks_of("tudo bem?"))
        [turn] = driver.screen.sitting.subject.timeline.turns
        assert turn.input["message"] == "oi\ntudo bem?"

    drive(play, file)


def test_a_fork_that_cannot_be_is_told():
    async def play(driver: Driver) -> None:
        await driver.press("f")
        driver.app.screen.query_one("#clock", Input).value = "yesterday"
        await driver.press("enter")
        await driver.until(lambda: any("yesterday" in told for told in driver.told))
        assert driver.has("bar", "REPLAY")
        await driver.press("f", "escape")

    drive(play)


def test_a_question_that_is_stopped_leaves_the_session_as_it_was():
    async def play(driver: Driver) -> None:
        await driver.press("G")
        await fork(driver)
        before = driver.lines("turns")
        await driver.press("i", "m")
        await driver.type("oi?")
        await driver.until(lambda: isinstance(driver.app.screen, AskScreen))
        await driver.press("escape")
        await driver.until(lambda: isinstance(driver.app.screen, InspectScreen))
        assert driver.lines("turns") == before
        assert any("Stopped" in told for told in driver.told)

    drive(play)


def test_a_typed_answer_is_the_model_s():
    async def play(driver: Driver) -> None:
        await driver.press("G")
        await fork(driver)
        await driver.press("i", "m")
        await driver.type("oi?")
        await driver.until(lambda: isinstance(driver.app.screen, AskScreen))
        await driver.type("{flows: []}")
        await driver.until(lambda: any("flows" in told for told in driver.told))
        await driver.until(lambda: isinstance(driver.app.screen, AskScreen))
        await driver.type("{}")
        await driver.until(lambda: driver.has("told", "Answer with one JSON object"))
        await driver.type("Até logo!")
        await driver.until(lambda: isinstance(driver.app.screen, InspectScreen))
        assert driver.has("conversation", "Até logo!")

    drive(play)


class Silent:
    """A model that never answers."""

    name = "silent"

    async def generate(self, call: ModelCall) -> ModelReply:
        await asyncio.Event().wait()
        raise AssertionError

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        yield Chunk(reply=await self.generate(call))


def test_waiting_for_a_model_is_told_and_can_be_stopped():
    agent = load_agent(str(ROOT / "scenarios" / "agents" / "ana.yaml"))

    async def play(driver: Driver) -> None:
        live = Attached.to_agent(agent, Silent(), name="ana.yaml")
        driver.app.show_live(live, mode="LIVE", parent=None)
        await driver.until(lambda: driver.has("bar", "LIVE"))
        await driver.press("i", "m")
        await driver.type("quero um orçamento")
        await driver.until(lambda: driver.has("bar", "waiting for the model, esc stops"))
        await driver.press("escape")
        await driver.until(lambda: any("Stopped" in told for told in driver.told))
        await driver.until(lambda: not driver.has("bar", "waiting"))
        assert driver.lines("turns") == []

    drive(play)


@pytest.mark.parametrize(
    ("kind", "text", "shown"),
    [
        ("t", "2d", "wake silence"),
        ("t", "never", ""),
        ("e", "nada", "event nada"),
        ("e", "x {", ""),
        ("o", "humano", "the host starts humano"),
    ],
)
def test_time_events_and_starts_happen_live(kind: str, text: str, shown: str):
    async def play(driver: Driver) -> None:
        await driver.press("n")
        await fork(driver)
        before = len(driver.told)
        await driver.press("i", kind)
        await driver.type(text)
        if not shown:
            await driver.until(lambda: len(driver.told) > before)
            return
        await driver.until(lambda: len(driver.app.screen_stack) != 3 or driver.talks_of(shown))
        if isinstance(driver.app.screen, AskScreen):
            await driver.press("f2")
        await driver.until(lambda: driver.talks_of(shown))

    drive(play)


def test_a_rerun_is_compared_with_the_play_before():
    async def play(driver: Driver) -> None:
        await driver.press("r")
        await driver.until(lambda: any("Played again" in told for told in driver.told))
        await driver.press("d")
        assert driver.lines("diff") == ["no difference", "  … 5 equal turns"]

    drive(play)


def test_an_agent_is_talked_to_live():
    agent = load_agent(str(ROOT / "scenarios" / "agents" / "ana.yaml"))

    async def run() -> None:
        app = Inspector(agent=agent, offline=True)
        async with app.run_test(size=(100, 30)) as pilot:
            driver = Driver(app, pilot)
            await driver.until(lambda: len(app.screen_stack) > 1)
            assert driver.has("bar", "LIVE")
            await driver.press("s", "n", "c", "2", "f", "i", "m")
            await driver.type("quero um orçamento")
            await driver.until(lambda: len(driver.lines("turns")) == 1)
            assert driver.has("conversation", "assistant")
            await driver.press("f", "enter")
            await driver.until(lambda: driver.has("bar", "FORK of ana.yaml@1.return"))

    asyncio.run(run())


# --- all of a folder ------------------------------------------------------------------------------


def test_a_folder_lists_its_plays_marks_two_and_compares_them():
    async def play(driver: Driver) -> None:
        await driver.until(lambda: isinstance(driver.app.screen, RunsScreen))
        count = len(driver.lines("runs"))
        assert driver.has("bar", f"{count} passed, 0 failed")
        await driver.press("d")
        assert any("Mark two" in told for told in driver.told)
        await driver.press("space", "down", "space", "d")
        assert isinstance(driver.app.screen, DiffScreen)
        await driver.press("escape", "slash")
        await driver.type("asked again")
        assert 0 < len(driver.lines("runs")) < count
        await driver.press("enter")
        await driver.until(lambda: isinstance(driver.app.screen, InspectScreen))
        await driver.until(lambda: driver.has("bar", "REPLAY"))
        await driver.press("R")
        assert isinstance(driver.app.screen, RunsScreen)
        await driver.press("question_mark", "escape")

    drive(play, ROOT / "scenarios")


@pytest.mark.parametrize(
    "file", find_scenarios([ROOT / "scenarios"])[::12], ids=lambda file: file.stem
)
def test_every_key_survives_any_play(file: Path, write: Write):
    write("x", "")

    async def play(driver: Driver) -> None:
        if isinstance(driver.app.screen, RunsScreen):
            await driver.press("enter")
        for act in ACTIONS:
            if act.id in ("quit", "play", "rerun"):
                continue
            await driver.press(act.keys.split(",")[0])
            while not isinstance(driver.app.screen, InspectScreen):
                await driver.press("escape")
                if isinstance(driver.app.screen, RunsScreen):
                    await driver.press("enter")
        assert not driver.app._exception

    drive(play, file, size=(80, 24))


# --- the table ------------------------------------------------------------------------------------


def test_every_action_has_keys_of_its_own_and_a_method():
    keys = [key for act in ACTIONS for key in act.keys.split(",")]
    assert len(keys) == len(set(keys))
    assert all(hasattr(InspectScreen, f"action_{act.method}") for act in ACTIONS)
    assert len({act.id for act in ACTIONS}) == len(ACTIONS) == len(bindings())
    assert sum(act.shown for act in ACTIONS) <= 7
    unreliable = {"ctrl+m", "ctrl+i", "ctrl+h", "ctrl+enter"}
    assert not unreliable & set(keys)


def test_a_breakpoint_that_is_none_is_refused():
    with pytest.raises(BreakpointError):
        Inspector(TRIAGE, breakpoints=["code"])


def test_a_fault_of_its_own_is_shown_and_it_goes_on():
    async def play(driver: Driver) -> None:
        def broken(*_: object) -> bool:
            raise KeyError("oops")

        driver.screen.sitting.cursor.turn_by = broken  # pyright: ignore[reportAttributeAccessIssue]
        await driver.press("n")
        assert isinstance(driver.app.screen, TextScreen)
        await driver.until(lambda: driver.has("text", "KeyError"))
        await driver.press("escape", "s")
        assert driver.place == "1.ingest"

    drive(play)


def test_the_palette_offers_every_action_by_what_it_does():
    async def play(driver: Driver) -> None:
        commands = {it.title: it for it in driver.app.get_system_commands(driver.screen)}
        assert {f"{act.group.lower()}: {act.does.lower()}" for act in ACTIONS} <= set(commands)
        await driver.press("ctrl+p")
        driver.app.screen.query_one(Input).value = "the last step"
        await driver.settle()
        await driver.press("enter")
        await driver.until(lambda: isinstance(driver.app.screen, InspectScreen))
        await driver.until(lambda: driver.place == "5.return")

    drive(play)
