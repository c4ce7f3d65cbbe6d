"""An engine that is attached: a conversation goes on live, is forked, and is saved as a scenario."""

from pathlib import Path
from typing import Any

import msgspec

from falai.providers.base import ModelCall, ModelReply, Provider, Purpose
from falai.shapes import is_mapping
from simulator.agentfile import AgentSource
from simulator.continued import Continued
from simulator.fork import Edits, NewReply, fork, position
from simulator.live import Live
from simulator.liveanswers import Ask
from simulator.load import Document
from simulator.place import ScenarioFileError
from simulator.reading import read_scenario
from simulator.reply import read_script
from simulator.rewritten import continued_text
from simulator.scenario import DEFAULT_CLOCK, Scenario
from simulator.script import ScriptedModel
from simulator.spot import Spot
from simulator.stage import Stage
from simulator.written import scenario_text
from tui.model.subject import Subject
from tui.model.timeline import Timeline
from tui.opening import OpenError, subject_of


class Attached:
    """One conversation that goes on, with what it takes to show and to save it."""

    def __init__(self, live: Live, *, name: str, agent: AgentSource | None, since: int = 1) -> None:
        """`since` is the number of the first entry that is written anew when it is saved."""
        self.live = live
        self.name = name
        self._agent = agent
        self._since = since

    @classmethod
    def to_agent(
        cls, agent: AgentSource, model: Provider, *, name: str, clock: str = DEFAULT_CLOCK
    ) -> "Attached":
        """A new conversation with an agent, its calls answered by a model."""
        stage = Stage(agent, clock, model, phases=True)
        return cls(Live(stage), name=name, agent=agent)

    @classmethod
    async def to_fork(
        cls, subject: Subject, turn: int, edits: Edits, ask: Ask, *, rest: bool
    ) -> "Attached":
        """Leave a play at a turn (from 0); it is played up to there, and with `rest` to its end.

        Raises OpenError, ForkError or ScenarioFileError where that cannot be done.
        """
        if subject.scenario is None:
            what = f"{subject.name}: there is no scenario to play from"
            raise OpenError(f"{what}. Open the trace where the file {subject.play.file} is.")
        made = fork(subject.scenario, subject.play, turn, edits, rest=rest)
        live = Continued(made, ask)
        since = 1 if edits.data else position(subject.timeline.turns[turn])[0]
        attached = cls(live, name=subject.name, agent=subject.agent, since=since)
        await live.play()
        return attached

    def subject(self) -> Subject:
        """What was played so far, as something to look at."""
        record = self.live.record()
        scenario = self._scenario()
        if scenario is not None:
            return subject_of(record, scenario, name=self.name)
        built = self.live.stage.host.agent
        return Subject(
            name=self.name,
            timeline=Timeline(record),
            agent=self._agent,
            flows=built.flows,
            fields=tuple(built.fields),
        )

    def _scenario(self) -> Scenario | None:
        """All of it as a scenario, so that it can be forked again; None before anything was said."""
        if not self.live.stage.records:
            return None
        path = self._folder / "live.yaml"
        [scenario] = read_scenario(Document(path, self.text(path, title=self._title)))
        return scenario

    @property
    def _title(self) -> str:
        live = self.live
        if isinstance(live, Continued):
            return live.scenario.title
        return f"A conversation with {live.stage.host.agent.name}"

    @property
    def _folder(self) -> Path:
        if isinstance(self.live, Continued):
            return self.live.scenario.spot.source.path.parent
        return Path()

    def text(self, file: Path, *, title: str | None = None) -> str:
        """The scenario that plays all of it, to lie in `file`."""
        title = title or self._title
        if isinstance(self.live, Continued):
            return continued_text(self.live, title=title, file=file, since=self._since)
        assert self._agent is not None
        return scenario_text(self.live, title=title, agent=_seen_from(file, self._agent))

    def save(self, file: Path) -> None:
        """Write it as a new file; raises OpenError when it is there already or cannot be written."""
        if file.suffix.lower() not in (".yaml", ".yml"):
            raise OpenError(f"{file}: a scenario's file ends in .yaml. Choose such a name.")
        try:
            with file.open("x", encoding="utf-8") as out:
                out.write(self.text(file))
        except FileExistsError:
            raise OpenError(f"{file} is there already. Choose another name.") from None
        except OSError as error:
            raise OpenError(f"{file}: cannot be written: {error.strerror}.") from None

    def close(self) -> None:
        """Put away what it holds open."""
        if isinstance(self.live, Continued):
            self.live.close()


def _seen_from(file: Path, agent: AgentSource) -> str:
    """What a scenario in `file` calls the agent: its path goes from there."""
    import os.path  # only where something is saved

    if isinstance(agent.spot.value, str):
        return agent.spot.value
    return Path(os.path.relpath(agent.spot.source.path, file.parent)).as_posix()


# --- what somebody types -------------------------------------------------------------------------


async def typed_reply(call: ModelCall, text: str) -> ModelReply:
    """A model's reply that somebody typed: `{message: Hi!}`, or `{fail: timeout}`, or plain text.

    Raises ScenarioFileError for what is no reply, ProviderError for a failure.
    """
    spot = _spot_of({call.purpose: read_typed(text, plain="message")})
    model = ScriptedModel()
    model.play(read_script(spot))
    return await model.generate(call)


def new_reply(purpose: Purpose, index: int, text: str) -> NewReply:
    """A reply in the place of one that was given; raises ScenarioFileError."""
    reply = read_typed(text, plain="message")
    read_script(_spot_of({purpose: reply}))
    return NewReply(purpose=purpose, index=index, reply=reply)


def read_typed(text: str, *, plain: str | None = None) -> dict[str, Any]:
    """A mapping that somebody typed, with or without its braces; plain text becomes `plain`.

    Raises ScenarioFileError for what is neither.
    """
    text = text.strip()
    if not text:
        return {}
    inside = text if text.startswith("{") else f"{{{text}}}"
    try:
        value = Document(Path("typed.yaml"), inside).value
    except ScenarioFileError:
        value = None
    if is_mapping(value) and (text.startswith("{") or ":" in text):
        return dict(value)
    if plain is not None and not text.startswith("{"):
        return {plain: text}
    return dict(_spot_of(text).mapping(fix="Write name: value."))


def _spot_of(value: Any) -> Spot:
    return Document(Path("typed.json"), msgspec.json.encode(value).decode()).spot
