"""Whether every jump of a place leads somewhere."""

from falai.errors import FlowConfigurationError
from falai.spec.places import Place
from falai.spec.walk import branches, step_targets
from falai.spec.wording import quote
from falai.words.flow import If


def check_jumps(place: Place) -> None:
    """Raise FlowConfigurationError on the first jump that cannot be followed."""
    for path, step in step_targets(place.what):
        if step not in place.steps and step != "end":
            raise FlowConfigurationError.at(
                place.where,
                f"{path} points at step {quote(step)}, which does not exist",
                'Use an existing step id or "end".',
            )
    for path, branch in branches(place.what):
        if branch.when is None and branch.if_ is None:
            raise FlowConfigurationError.at(
                place.where, f"{path} has neither when nor if", "Give it one of them."
            )
    _check_if(place)


def goes_back(place: Place, step: str) -> bool:
    """Whether a target is the step itself or an earlier one."""
    return step in place.steps and place.steps[step] <= place.index


def _check_if(place: Place) -> None:
    # Where the condition fails, a missing else ends the run instead of going on.
    if not isinstance(place.what, If) or place.what.else_ is not None:
        return
    back = dict(step_targets(place.what)).get("then")
    if back is not None and goes_back(place, back):
        raise FlowConfigurationError.at(
            place.where,
            f"then goes back to step {quote(back)} with no else, so the run ends when "
            "the condition does not hold",
            "Add an else.",
        )
