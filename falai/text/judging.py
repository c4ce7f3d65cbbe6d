"""What an understand call has to judge."""

from collections.abc import Sequence

from msgspec import Struct

from falai.words.flow import Flow, Mention, Talk


class BranchQuestion(Struct, frozen=True):
    """One `when` of the floor run's current talk step."""

    key: str
    """`runId/stepId/index`."""
    when: str


class Judging(Struct, frozen=True, kw_only=True):
    """Everything that one message is judged for."""

    flow: Flow | None
    """The floor flow."""
    step: Talk | None
    """Its current talk step, when it stands on one."""
    pending: Sequence[str]
    """Slugs that the step waits for."""
    candidates: Sequence[Flow]
    """The flows to score, the floor flow first."""
    mentions: Sequence[tuple[Flow, Mention]]
    branches: Sequence[BranchQuestion]
    fields: Sequence[str]
    """Slugs to extract."""
    asks: bool
    """Whether to judge that the message asks something."""
    message: str
