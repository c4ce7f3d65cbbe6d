"""The file of a tape: read before a play, and written when the play is over and worth keeping."""

import os
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from simulator.behind import Remark
from simulator.cassette.calls import OpenCall
from simulator.cassette.recorder import Recorder
from simulator.cassette.tape import Tape, TapedCall, is_tape, read_tape, tape_data
from simulator.load import load_document
from simulator.options import PlayOptions, RecordMode
from simulator.place import Place, ScenarioFileError, counted
from simulator.scenario import Scenario
from simulator.yamlout import yaml_text

_PACKAGES = ("falai", "litellm", "vcrpy")
_REFUSED = (401, 403)
_SHOWN = 300
"""Characters of an error, and calls of a list, that a remark shows."""
_LISTED = 5


def load_tape(path: Path, mode: RecordMode) -> Tape | None:
    """The tape in a file, None when there is no file; raises ScenarioFileError.

    One that is recorded again need not be in order, but must be a tape: no other file is lost.
    """
    if not os.path.lexists(path):
        return None
    document = load_document(path)
    if mode == "all" and is_tape(document):
        return Tape(recorded="", model="")
    return read_tape(document)


def save_tape(path: Path, tape: Tape) -> None:
    """Write a tape whole or not at all; raises ScenarioFileError."""
    target = path.resolve()
    part = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("w", encoding="utf-8", newline="\n") as file:
                file.write(yaml_text(tape_data(tape)))
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        what = f"the cassette cannot be written: {error.strerror}"
        fix = "Choose another folder with --cassettes."
        raise ScenarioFileError(Place(str(path), 1, 1), what, fix) from None


class Recording:
    """What one play does to its tape."""

    def __init__(
        self, scenario: Scenario, path: Path, options: PlayOptions, recorder: Recorder
    ) -> None:
        self._scenario = scenario
        self._path = path
        self._options = options
        self._recorder = recorder
        self._is_first = not os.path.lexists(path)

    def finish(self, *, passed: bool) -> list[Remark]:
        """Write the tape if it is worth it, and say what was done and what was left."""
        remarks = list(self._unanswered())
        if self._recorder.records:
            remarks.append(Remark(self._saved(passed=passed)))
        leftovers = self._recorder.leftovers
        missed = any(call.miss is not None for call in self._recorder.calls)
        if leftovers and not missed:
            remarks.append(Remark(self._left(leftovers), self._options.strict))
        return remarks

    def _saved(self, *, passed: bool) -> str:
        taken = self._recorder.taken
        if not taken:
            return f"nothing was recorded: {self._why_nothing()}"
        if not passed and not self._is_first:
            return f"{self._path} was left as it was: the scenario failed"
        if not passed and (reason := self._why_worthless(taken)):
            return f"nothing was recorded: {reason}"
        calls = [*self._recorder.kept, *taken]
        save_tape(self._path, self._tape(calls))
        tokens = sum(map(_tokens, self._recorder.calls))
        new = f"{counted(len(taken), 'call')}, {counted(tokens, 'token')}"
        more = f", beside {len(calls) - len(taken)} that it had" if len(calls) > len(taken) else ""
        return f"wrote {self._path}: {new}{more}"

    def _why_worthless(self, taken: Sequence[TapedCall]) -> str | None:
        """What makes a first recording of a scenario that failed one to forget."""
        if any(call.response.status in _REFUSED for call in taken):
            return "the model refused the key"
        return "not every call got an answer" if any(self._without_answer()) else None

    def _why_nothing(self) -> str:
        calls = self._recorder.calls
        if not calls:
            return "no call was made"
        if any(call.recorded for call in calls):
            return "every answer is on the tape"
        return "no call got an answer"

    def _tape(self, calls: Sequence[TapedCall]) -> Tape:
        provider = self._scenario.provider
        return Tape(
            recorded=self._options.today.now().date().isoformat(),
            model="" if isinstance(provider, str) else provider["model"],
            versions={name: _version(name) for name in _PACKAGES},
            calls=calls,
        )

    def _unanswered(self) -> Iterator[Remark]:
        """The first call that got no HTTP answer, which no tape can hold."""
        calls = list(self._without_answer())
        for call in calls[:1]:
            error = str(call.error) or type(call.error).__name__
            said = error.splitlines()[0][:_SHOWN]
            more = f" (and {len(calls) - 1} more)" if len(calls) > 1 else ""
            yield Remark(f"the {call.name} got no answer that a tape could hold: {said}{more}")

    def _without_answer(self) -> Iterator[OpenCall]:
        for call in self._recorder.calls:
            if not call.answers and call.error is not None and call.miss is None:
                yield call

    def _left(self, leftovers: Sequence[TapedCall]) -> str:
        names = [call.name for call in leftovers[:_LISTED]]
        more = len(leftovers) - len(names)
        listed = ", ".join([*names, *([f"{more} more"] if more else [])])
        return f"{self._path} has calls that were not made: {listed}"


def _tokens(call: OpenCall) -> int:
    usage = call.usage
    return usage.prompt_tokens + usage.completion_tokens if usage and not call.recorded else 0


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
