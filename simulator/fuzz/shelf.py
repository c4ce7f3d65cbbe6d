"""The folder of the conversations that broke: they are played first, and new ones are added."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from simulator.find import files_in, holds_scenario
from simulator.fuzz.reason import Reason, reason_of
from simulator.fuzz.subject import Raw, Subject
from simulator.load import load_document
from simulator.play import play
from simulator.reading import read_scenario
from simulator.rewritten import Mover
from simulator.trace import Failure
from simulator.written import item_text
from simulator.yamlout import yaml_text

TAG = "fuzz"
_NO_WORD = re.compile(r"[^a-z0-9]+")


class Shelf:
    """Files of conversations that broke, each a scenario for `falai run`."""

    def __init__(self, folder: Path, subject: Subject) -> None:
        self._folder = folder
        self._subject = subject

    def past(self) -> Iterator[tuple[Path, list[Failure]]]:
        """Play what broke earlier with the same agent; raises ScenarioFileError for a bad file."""
        head = self._head()
        for file in filter(holds_scenario, files_in(self._folder) if self._folder.is_dir() else ()):
            document = load_document(file)
            raw = document.value
            if raw.get("agent") == head.get("agent") and TAG in (raw.get("tags") or ()):
                for scenario in read_scenario(document):
                    yield file, list(asyncio.run(play(scenario)).failures)

    def put(self, turns: Sequence[Raw], failure: Failure) -> Path:
        """Write a conversation down; nothing that is there is overwritten."""
        text = self._text(turns, failure)
        self._folder.mkdir(parents=True, exist_ok=True)
        for path in self._names(reason_of(failure)):
            try:
                with path.open("x", encoding="utf-8") as file:
                    file.write(text)
            except FileExistsError:
                continue
            return path
        raise AssertionError("names never end")

    def _text(self, turns: Sequence[Raw], failure: Failure) -> str:
        title = f"{Path(self._subject.name).stem} breaks: {failure.message}"
        head = {"scenario": title[:200], "tags": [TAG], **self._head()}
        move = Mover(self._subject.folder, self._folder)
        items = [item_text(move.entry(entry)) for entry in turns]
        return f"{yaml_text(head)}\nturns:\n" + "\n".join(items)

    def _head(self) -> Raw:
        return Mover(self._subject.folder.resolve(), self._folder.resolve()).head(
            self._subject.head
        )

    def _names(self, reason: Reason) -> Iterator[Path]:
        words = f"{Path(self._subject.name).stem} {reason.name} {_flow_in(reason.what)}"
        name = _NO_WORD.sub("-", words.lower()).strip("-")
        yield self._folder / f"{name}.yaml"
        number = 2
        while True:
            yield self._folder / f"{name}-{number}.yaml"
            number += 1


def _flow_in(text: str) -> str:
    found = re.search(r'flow "([^"]*)"', text)
    return found[1] if found else ""
