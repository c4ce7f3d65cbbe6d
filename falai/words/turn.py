"""What goes into a turn and what comes out of it."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from falai.words.generic import D
from falai.words.outcome import Outcome
from falai.words.session import EndReason, Run, Session

HistoryItem: TypeAlias = Mapping[str, Any]
"""`{role: user|assistant|tool|system, content, ...}`."""


class Silenced(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why the assistant may not speak in this turn."""

    reason: str
    understand: bool = False
    """Read the customer's message all the same."""
    skip: bool = False
    """Pass over what would speak instead of ending the run."""


class Anchor(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """A key of the host's that several sessions share, such as the customer's."""

    key: str
    last_inbound_at: str | None = None
    """When the customer last wrote in any of them."""


class HeldClaims(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the customer's other sessions hold."""

    held: Mapping[str, str] = {}
    """Dedupe key to the time of the claim."""
    active: Sequence[str] = ()
    """`flowId:anchor` of live runs."""


class MessageInput(msgspec.Struct, frozen=True, tag=False):
    """The customer wrote."""

    text: str
    id: str | None = None
    at: str | None = None


class WakeInput(msgspec.Struct, frozen=True):
    """A scheduled wake came due."""

    key: str


class EventInput(msgspec.Struct, frozen=True):
    """The host reports an event."""

    name: str
    key: str
    payload: Any | UnsetType = UNSET
    hop: int = 0


class StartInput(msgspec.Struct, frozen=True):
    """The host starts a flow."""

    flow: str
    key: str
    input: Any | UnsetType = UNSET
    hop: int = 0


What: TypeAlias = MessageInput | WakeInput | EventInput | StartInput


class TurnInput(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened, with what the host knows at that moment."""

    session_id: str
    what: What
    session: Session[Any] | None = None
    context: Any = None
    history: Sequence[HistoryItem] | None = None
    silenced: Silenced | None = None
    anchors: Mapping[str, Anchor] = {}
    claims: HeldClaims = HeldClaims()


class OutMessage(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel", kw_only=True):
    """One message for the host to send."""

    text: str
    kind: Literal["ai", "verbatim"]
    media: Mapping[str, str] | None = None
    """`{slug}` of a medium that the host attaches."""
    after_ms: int
    """How long to wait before it, in ms."""
    key: str
    run_id: str | None = None
    step_id: str | None = None


class Wake(msgspec.Struct, frozen=True, omit_defaults=True):
    """One wake for the host to schedule."""

    key: str
    at: str
    replaces: str | None = None
    """Key of an earlier wake that this one stands in for."""


class Started(msgspec.Struct, frozen=True, rename="camel"):
    run_id: str
    flow_id: str
    anchor: str
    dedupe_key: str


class Ended(Run, frozen=False, omit_defaults=True, rename="camel", kw_only=True):
    """A run that is over, with the reason."""

    reason: EndReason


class Skipped(msgspec.Struct, frozen=True, rename="camel"):
    """A start that was refused."""

    flow_id: str
    anchor: str
    trigger_key: str
    code: str
    message: str


class Usage(msgspec.Struct, frozen=True, rename="camel"):
    """Tokens that the model counted, summed over a turn's calls."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_input_tokens: int = 0


class TurnResult(msgspec.Struct, Generic[D], omit_defaults=True, rename="camel", kw_only=True):
    """What to save, send and schedule, and the log of what was decided."""

    session: Session[D]
    changed: bool
    """False: save nothing, send nothing."""
    messages: list[OutMessage]
    schedule: list[Wake]
    outcomes: list[Outcome]
    started: list[Started]
    ended: list[Ended]
    skipped: list[Skipped]
    llm_calls: int
    usage: Usage | None = None
    """Absent when no call was made or nobody counted."""
