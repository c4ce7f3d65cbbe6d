"""Proposes another text for a scenario file: one whose expectations hold of what came."""

from collections.abc import Iterable, Sequence

import msgspec

from simulator.accept.edit import Edit, apply_edits
from simulator.accept.plan import Plan, plans
from simulator.accept.surgery import Surgeon
from simulator.accept.tree import CannotEditError
from simulator.accept.witness import witness
from simulator.load import Document
from simulator.place import ScenarioFileError
from simulator.play import play
from simulator.reading import read_scenario
from simulator.scenario import Scenario
from simulator.trace import Failure


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """What is proposed for one file."""

    document: Document
    text: str
    """The new text; the old one when nothing is to be done, or nothing can be."""
    problems: Sequence[str] = ()
    """Why nothing can be done, each with its place; the text is the old one then."""
    notes: Sequence[str] = ()
    """What was left as it is, and why."""

    @property
    def is_change(self) -> bool:
        """Whether there is anything to write."""
        return self.text != self.document.text


async def propose(
    document: Document, scenarios: Sequence[Scenario], *, line: int | None = None
) -> Proposal:
    """Play a file in every combination, and find the text that passes in all of them.

    With the `line` of an entry, only what is expected there changes, and what fails elsewhere
    may go on failing. Raises ScenarioFileError when it cannot be played at all.
    """
    witnesses = [await witness(scenario) for scenario in scenarios]
    wanted = plans([found.sightings for found in witnesses])
    if line is not None:
        wanted = [plan for plan in wanted if plan.spot.place().line == line]
    failures = [failure for found in witnesses for failure in found.failures if line is None]
    problems = [*_told(document, failures), *_impossible(document, wanted)]
    notes = [f"{plan.spot.place()}: {plan.note}" for plan in wanted if plan.note]
    if problems:
        return _refused(document, problems)
    try:
        edits, more = _edits(document, wanted)
        text = apply_edits(document.text, edits)
    except CannotEditError as error:
        return _refused(document, [str(error)])
    problems = await _problems_of(document, text)
    if problems and line is None:
        return _refused(document, problems)
    return Proposal(document=document, text=text, notes=[*notes, *more])


def _refused(document: Document, problems: Iterable[str]) -> Proposal:
    """What several combinations have in common is said once."""
    return Proposal(document=document, text=document.text, problems=list(dict.fromkeys(problems)))


def _told(document: Document, failures: Iterable[Failure]) -> list[str]:
    return [f"{document.path}:{found.line}: {found.path}: {found.message}" for found in failures]


def _impossible(document: Document, wanted: Iterable[Plan]) -> list[str]:
    return [f"{document.place(at)}: {why}" for plan in wanted for at, why in plan.problems]


def _edits(document: Document, wanted: Sequence[Plan]) -> tuple[list[Edit], list[str]]:
    """The edits of all plans, and notes on new blocks that have no place in the text."""
    edits: list[Edit] = []
    notes: list[str] = []
    surgeon = Surgeon(document) if wanted else None
    for plan in wanted:
        try:
            edits += surgeon.edits(plan.changes) if surgeon else []
        except CannotEditError as error:
            told = f"{plan.spot.place()}: {error}"
            if not plan.is_new:
                raise CannotEditError(told) from None
            notes.append(told)
    return edits, notes


async def _problems_of(document: Document, text: str) -> list[str]:
    """What is wrong with the new text: it is read and played as any file is."""
    new = Document(document.path, text)
    try:
        records = [await play(scenario) for scenario in read_scenario(new)]
    except ScenarioFileError as error:
        return [f"what came cannot be written there: {error}"]
    return _told(new, [failure for record in records for failure in record.failures])
