"""Branches: which fork of a step holds, by code and by what the model judged."""

from falai.turn.move import follow, target_text
from falai.turn.state import Turn
from falai.words.flow import Branch, Talk, Wait
from falai.words.session import Run


def branch_key(run: Run, step_id: str, index: int) -> str:
    """The name under which the understand call judges a `when` branch."""
    return f"{run.id}/{step_id}/{index}"


def first_branch(turn: Turn, run: Run, step: Talk | Wait, *, judged: bool = False) -> Branch | None:
    """The first branch that holds; one with `when` only where the model's judgement counts."""
    for index, branch in enumerate(step.branches or ()):
        if branch.when is not None and not (judged and _judged_true(turn, run, step, index)):
            continue
        if branch.when is None and run.staying and _leads_nowhere_new(run, branch):
            continue
        if turn.holds(branch.if_, run):
            return branch
    return None


def take_branch(turn: Turn, run: Run, *, judged: bool) -> None:
    """Let an asking run follow the first branch of its talk step that holds."""
    step = turn.talk_of(run)
    branch = first_branch(turn, run, step, judged=judged) if step else None
    if step is None or branch is None:
        return
    turn.log_step(run, step, "ok", "branch", next=target_text(branch.then))
    run.status = "running"
    follow(turn, run, branch.then)


def _judged_true(turn: Turn, run: Run, step: Talk | Wait, index: int) -> bool:
    return turn.judged.branches.get(branch_key(run, step.id, index), False)


def _leads_nowhere_new(run: Run, branch: Branch) -> bool:
    """A staying run would fall straight back onto the step that it stays on."""
    target = target_text(branch.then)
    return target == "end" or (target or "") in run.visits
