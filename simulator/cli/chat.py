"""`falai chat`: talk to an agent in the terminal, with its time under your control."""

import asyncio
import os.path
import shlex
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import click
import msgspec

from falai.errors import FlowConfigurationError
from simulator.agentfile import load_agent
from simulator.cli.printer import counted
from simulator.cli.typed import read_line
from simulator.live import Happening, Live
from simulator.liveanswers import SettingsError, model_of
from simulator.load import SUFFIXES
from simulator.place import ScenarioFileError
from simulator.scenario import DEFAULT_CLOCK
from simulator.stage import Stage
from simulator.trace import TurnRecord
from simulator.written import scenario_text

_HELP = """\
Whatever you type is what the customer writes. Or:
  /wait 2h              let time pass; wakes that come due fire
  /wake                 go on to the next wake
  /event NAME [JSON]    report an event, with a payload
  /start FLOW [JSON]    start a flow, with an input
  /data                 what was collected
  /runs                 the flows at work
  /pending              the wakes that wait
  /why                  what was decided in the last turn
  /save FILE.yaml       write all of it as a scenario
  /quit                 leave"""


class _ChatError(Exception):
    """Something typed cannot be done; the chat says so and goes on."""


@click.command(name="chat")
@click.argument("agent")
@click.option("--model", metavar="ID", help="A model for litellm, in place of the agent's own.")
@click.option("--offline", is_flag=True, help="Answer without any model, even if there is one.")
@click.option("--clock", default=DEFAULT_CLOCK, metavar="ISO", help="Where time starts.")
@click.option("--context", default="{}", metavar="JSON", help="What the host knows.")
def command(agent: str, model: str | None, clock: str, context: str, *, offline: bool) -> None:
    """Talk to AGENT: an agent file, or module:attribute.

    The agent's own `provider` answers. Without one a stand-in does that has no model: it
    matches words, which is good for a first look and for nothing else. Time stands still until
    you say /wait. What happened can be saved as a scenario.

    \b
    Examples:
        falai chat scenarios/agents/ana.yaml
        falai chat myapp.agents:sales --model openai/gpt-4.1-mini
    """
    try:
        source = load_agent(agent)
        answers = model_of(source, model, offline=offline)
        stage = Stage(source, _clock(clock), answers)
        live = Live(stage, context=_json(context, "--context"))
    except (ScenarioFileError, SettingsError, _ChatError) as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    asyncio.run(Chat(live, agent).talk())


def _clock(text: str) -> str:
    from falai.clock import iso_of, to_datetime

    try:
        return iso_of(to_datetime(text))
    except ValueError:
        raise _ChatError(f'"{text}" is no time. Write one such as {DEFAULT_CLOCK}.') from None


def _json(text: str, name: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise _ChatError(f'{name} is no JSON: {error}. Write {{"key": "value"}}.') from None


class Chat:
    """Reads what is typed, lets it happen, and prints what comes of it."""

    def __init__(self, live: Live, agent: str) -> None:
        self._live = live
        self._agent = agent
        self._name = live.stage.host.agent.name
        self._commands: Mapping[str, Callable[[str], Awaitable[None]]] = {
            "/help": self._help,
            "/wait": self._wait,
            "/wake": self._wake,
            "/event": self._event,
            "/start": self._start,
            "/data": self._data,
            "/runs": self._runs,
            "/pending": self._pending,
            "/why": self._why,
            "/save": self._save,
        }

    async def talk(self) -> None:
        """Go on until /quit or the end of the input."""
        click.echo(f"{self._name}, {self._live.stage.now_iso}. /help lists the commands.")
        while (line := read_line()) is not None and line.strip() != "/quit":
            try:
                await self._take(line.strip())
            except (_ChatError, FlowConfigurationError, OverflowError) as error:
                click.echo(str(error))

    async def _take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if not line.startswith("/"):
            if line:
                self._show(await self._live.say(line))
            return
        if word not in self._commands:
            raise _ChatError(f"There is no {word}. /help lists the commands.")
        await self._commands[word](rest.strip())

    # --- what happens -------------------------------------------------------------------------

    async def _wait(self, rest: str) -> None:
        self._show(await self._live.wait(rest or "1h"))
        click.secho(f"  it is {self._live.stage.now_iso}", dim=True)

    async def _wake(self, rest: str) -> None:
        happening = await self._live.wake()
        if happening is None:
            raise _ChatError("No wake waits.")
        self._show(happening)
        click.secho(f"  it is {self._live.stage.now_iso}", dim=True)

    async def _event(self, rest: str) -> None:
        name, given = _name_and_json(rest, "/event bike_ready")
        self._show(await self._live.report(name, given))

    async def _start(self, rest: str) -> None:
        flow, given = _name_and_json(rest, "/start triage")
        self._show(await self._live.begin(flow, given))

    def _show(self, happening: Happening) -> None:
        for turn in happening.turns:
            self._show_turn(turn)

    def _show_turn(self, turn: TurnRecord) -> None:
        for message in turn.result.messages if turn.result else ():
            wait = f"  (after {message.after_ms} ms)" if message.after_ms else ""
            click.echo(f"{click.style(self._name, bold=True)}: {message.text}{wait}")
        for action in turn.actions:
            click.secho(f"  did {action.do}", dim=True)
        if turn.error is not None:
            click.secho(f"  the turn failed: {turn.error['message']}", fg="red")
        elif turn.calls:
            click.secho(f"  {counted(len(turn.calls), 'model call')}", dim=True)

    # --- what to look at ------------------------------------------------------------------------

    async def _help(self, rest: str) -> None:
        click.echo(_HELP)

    async def _data(self, rest: str) -> None:
        session = await self._live.session()
        data: Mapping[str, Any] = session.data if session else {}
        for slug, value in data.items():
            click.echo(f"  {slug}: {msgspec.json.encode(value).decode()}")

    async def _runs(self, rest: str) -> None:
        session = await self._live.session()
        for run in session.runs if session else ():
            click.echo(f"  {run.flow_id}: {run.status} at {run.step_id or 'its start'}")

    async def _pending(self, rest: str) -> None:
        for wake in self._live.pending():
            click.echo(f"  {wake.at}  {wake.key}")

    async def _why(self, rest: str) -> None:
        happening = self._live.happenings[-1] if self._live.happenings else None
        for turn in happening.turns if happening else ():
            for line in turn.result.outcomes if turn.result else ():
                where = f"{line.flow_id}/{line.step_id}" if line.flow_id else ""
                code = f" {line.code}: {line.message}" if line.code else ""
                click.echo(f"  {where:<24} {line.kind} {line.status}{code}")

    async def _save(self, rest: str) -> None:
        path = Path(rest)
        if path.suffix.lower() not in SUFFIXES[:2]:
            raise _ChatError("A scenario's file ends in .yaml: /save hello.yaml")
        title = f"A conversation with {self._name}"
        _write(path, scenario_text(self._live, title=title, agent=_seen_from(path, self._agent)))
        click.echo(f"  {path}: play it with  falai run {shlex.quote(str(path))}")


def _name_and_json(rest: str, example: str) -> tuple[str, Any]:
    name, _, given = rest.partition(" ")
    if not name:
        raise _ChatError(f"Name it: {example}")
    return name, _json(given, "What stands behind the name") if given.strip() else msgspec.UNSET


def _write(path: Path, text: str) -> None:
    """Write a new file; one that is there is somebody's work."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise _ChatError(f"{path} is there already. Choose another name.") from None
    except OSError as error:
        raise _ChatError(f"{path}: cannot be written: {error.strerror}.") from None


def _seen_from(file: Path, agent: str) -> str:
    """What a scenario in `file` calls the agent: its path goes from there."""
    if not agent.lower().endswith(SUFFIXES):
        return agent
    return Path(os.path.relpath(agent, file.parent)).as_posix()
