"""What one place holds, each piece with the path that messages name it by."""

from collections.abc import Iterator, Mapping, Sequence

from falai.spec.places import What
from falai.words.flow import (
    Branch,
    Do,
    Event,
    Flow,
    Goto,
    If,
    Instruction,
    Mention,
    Message,
    Predicate,
    Silence,
    Talk,
    Target,
    Wait,
    WaitEvent,
)


def predicates(what: What) -> Iterator[tuple[str, Predicate]]:
    """Every predicate of a place: its own, then its branches', then its instructions'."""
    own = what.while_ if isinstance(what, Flow) else None
    if isinstance(what, Message | Mention | Silence | Event | If):
        own = what.if_
    if own is not None:
        yield ("while" if isinstance(what, Flow) else "if"), own
    for path, branch in branches(what):
        if branch.if_ is not None:
            yield f"{path}.if", branch.if_
    if isinstance(what, Flow | Talk):
        yield from instruction_predicates(what.instructions or ())


def instruction_predicates(
    instructions: Sequence[Instruction],
) -> Iterator[tuple[str, Predicate]]:
    """Every predicate of a list of instructions."""
    for index, instruction in enumerate(instructions):
        if instruction.if_ is not None:
            yield f"instructions[{index}].if", instruction.if_


def branches(what: What) -> Iterator[tuple[str, Branch]]:
    """Every branch of a talk or wait step."""
    if isinstance(what, Talk | Wait):
        for index, branch in enumerate(what.branches or ()):
            yield f"branches[{index}]", branch


def targets(what: What) -> Iterator[tuple[str, Target]]:
    """Every target of a step."""
    if isinstance(what, Flow | Message | Mention | Silence | Event):
        return
    if what.then is not None:
        yield "then", what.then
    if isinstance(what, Wait | WaitEvent | If) and what.else_ is not None:
        yield "else", what.else_
    if isinstance(what, Do) and what.on_fail is not None:
        yield "onFail", what.on_fail
    for path, branch in branches(what):
        yield f"{path}.then", branch.then


def step_targets(what: What) -> Iterator[tuple[str, str]]:
    """Every target that is a step of the same flow, as that step's id."""
    for path, target in targets(what):
        if isinstance(target, Goto):
            yield path, target.step
        elif isinstance(target, str) and target != "end":
            yield path, target


def durations(what: What) -> Iterator[tuple[str, str]]:
    """Every duration of a trigger or step."""
    found: dict[str, str | None]
    match what:
        case Wait():
            found = {"wait": what.wait}
        case WaitEvent():
            found = {"wait.upTo": what.up_to}
        case Silence():
            found = {"silence": what.after}
        case Event():
            found = {"after": what.after}
        case _:
            found = {}
    repeat = what.repeat if isinstance(what, Message | Mention | Silence | Event) else None
    if isinstance(repeat, Mapping):
        found["repeat.cooldown"] = repeat["cooldown"]
    yield from ((path, text) for path, text in found.items() if text is not None)
