"""The page of key formats, each with a key of that format from a conversation that is played."""

import asyncio
import re
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from simulator.load import load_document
from simulator.options import PlayOptions
from simulator.play import play
from simulator.reading import read_scenario
from simulator.trace import TurnRecord
from tests.reference.markdown import code, page, table


class Format(NamedTuple):
    """How one kind of key is spelt, and where it is seen."""

    what: str
    where: str
    """Where the engine shows keys of this kind: a collection of `seen`."""
    spelt: str
    meaning: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """The keys of this kind."""
        parts = re.split(r"<(\w+)>", self.spelt)
        return re.compile(
            "".join(
                _PARTS.get(part, _WORD) if n % 2 else re.escape(part)
                for n, part in enumerate(parts)
            )
        )


_WORD = r"[^:#]+"
"""An id of the agent that is played, which holds neither sign."""
_TRIGGER = rf"(?:{_WORD}|{_WORD}#{_WORD}:{_WORD}:\d+)"
"""What starts a run, here by at most one chain."""
_PARTS = {"visit": r"\d+", "ms": r"\d+", "trigger": _TRIGGER, "run": f"{_WORD}#{_TRIGGER}"}

FORMATS = (
    Format("trigger key of a message", "message triggers", "<id>", "the message's id, else when it was written"),
    Format("trigger key of an event or a start", "event triggers", "<key>", "the key that the host gave"),
    Format("trigger key of a silence", "silence triggers", "<ms>", "when the assistant last spoke"),
    Format("trigger key of a chained flow", "flow triggers", "<run>:<step>:<visit>", "the step that led here"),
    Format("run", "runs", "<flow>#<trigger>", "the flow, and the key of what started it"),
    Format("message, action, line", "steps", "<run>:<step>:<visit>", "the same whenever the step runs again for one input"),
    Format("message of the idle speaker", "idle", "idle:<trigger>", "no run said it"),
    Format("wake of a wait, an event that may not come, a deferred action", "wakes", "<run>:<step>:<ms>", "the step, and the time for which it waits"),
    Format("wake of a trigger with `after`", "wakes", "<run>:start:<ms>", "the run has not begun yet"),
    Format("wake of a reply to try again", "wakes", "<run>:<step>:<visit>:retry:<ms>", "the key of the message that failed, and when it is tried"),
    Format("wake of a silence", "wakes", "silence:<flow>:<session>:<ms>", "when the assistant last spoke"),
    Format("claim of a flow that may start once", "once claims", "<flow>:<anchor>:", "held for ever: the flow starts once for that anchor"),
    Format("claim of a flow that may start again", "again claims", "<flow>:<anchor>:<trigger>", "`repeat: always`: the same input starts it once"),
    Format("claim of a `say` with `once`", "say claims", "<flow>:<step>:<session>", "the text was sent in this session"),
)  # fmt: skip

SCENARIO = Path(__file__).with_name("keys.yaml")


def keys_page() -> str:
    """Every format of a key, with an example that the engine made."""
    seen = seen_keys()
    rows = [
        (form.what, code(form.spelt), code(example_of(form, seen[form.where])), form.meaning)
        for form in FORMATS
    ]
    intro = (
        "Keys are made of what happened, never of chance: the same input on the same session makes "
        "the same keys. That is how a host knows what it has done already. `<ms>` is a time in "
        "milliseconds since 1970. `<anchor>` is the session's id, or the key of the anchor that "
        "the flow names. Keys do not hold the session (but for those of silences and claims): a "
        "host stores them together with its id."
    )
    return page("Keys", intro, table(["key of a", "format", "example", "meaning"], rows))


def example_of(form: Format, keys: Iterable[str]) -> str:
    """The first key of this format; raises StopIteration when the engine makes none."""
    return next(key for key in keys if form.pattern.fullmatch(key))


def seen_keys() -> dict[str, list[str]]:
    """Every key that the engine makes in the scenario beside this module, by where it stands."""
    [scenario] = read_scenario(load_document(SCENARIO))
    record = asyncio.run(play(scenario, PlayOptions()))
    assert not record.failures, record.failures
    seen: dict[str, dict[str, None]] = {}
    for where, key in (pair for turn in record.turns for pair in _keys_of(turn)):
        seen.setdefault(where, {})[key] = None
    return {where: [*keys] for where, keys in seen.items()}


def _keys_of(turn: TurnRecord) -> Iterable[tuple[str, str]]:
    result: Any = turn.result
    if result is None:
        return
    runs = [*result.session.runs, *result.ended]
    yield from (("runs", run.id) for run in runs)
    yield from ((f"{run.trigger.kind} triggers", run.trigger.key) for run in runs)
    yield from (("wakes", wake.key) for wake in result.schedule)
    own = dict.fromkeys(run.dedupe_key for run in runs)
    yield from (("once claims" if key.endswith(":") else "again claims", key) for key in own)
    yield from (("say claims", key) for key in _said_once(result.session, own))
    yield from (("steps", action.key) for action in turn.actions)
    for message in result.messages:
        yield ("idle" if message.key.startswith("idle:") else "steps", message.key)


def _said_once(session: Any, of_runs: Container[str]) -> Iterable[str]:
    """The claims of texts: those of no run that end with the session."""
    return (key for key in session.claims if key not in of_runs and key.endswith(f":{session.id}"))
