"""One line of a turn's log: what a step did, and why."""

from typing import Literal, TypeAlias

import msgspec

OutcomeKind: TypeAlias = Literal["prompt", "collect", "say", "do", "wait", "if", "idle"]
OutcomeStatus: TypeAlias = Literal["ok", "skipped", "failed", "waiting", "deferred"]


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel", kw_only=True):
    """What one step of one run did; the idle speaker and refused inputs have no run."""

    run_id: str | None = None
    flow_id: str | None = None
    step_id: str | None = None
    key: str | None = None
    kind: OutcomeKind
    status: OutcomeStatus
    code: str | None = None
    message: str | None = None
    """One English sentence for people, present exactly when `code` is."""
    detail: str | None = None
    next: str | None = None
    """A step id, `end`, or `flow:<target as written>`; absent when the step names no target."""
    until: str | None = None
    at: str
    llm_calls: int | None = None
