"""What a scenario is: its defaults, its turn entries and the scripted replies, as types.

Values that may hold `${…}` (see expression.py) are kept as written; the player expands them at
the clock of the turn. `read_scenario` in reading.py makes all of this from a file.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from falai.errors import ErrorKind, ProviderError
from falai.providers.base import Purpose, ToolCall
from falai.words.turn import Anchor, HeldClaims, HistoryItem, Silenced, Usage
from simulator.place import KeyPath, Place
from simulator.promised import Promised
from simulator.spot import Spot

DEFAULT_CLOCK = "2026-01-05T09:00:00Z"
"""A Monday."""
DEFAULT_SESSION = "s1"

History: TypeAlias = Literal["auto", "none"] | tuple[HistoryItem, ...]
"""`auto` is the transcript that the host kept, without the message of the turn."""

Results: TypeAlias = tuple[Any, ...]
"""What an action returns, used in order; the last one repeats. `{"throw": text}` raises."""

Block: TypeAlias = Mapping[str, Any]
"""An `expect` or `exactly` block as written; its top-level keys and its matchers are checked."""


# --- what the model answers ---------------------------------------------------------------------


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A failing model call."""

    kind: ErrorKind
    status: int | None = None
    retry_after_ms: int | None = None
    reset_at_ms: int | str | None = None
    """Text only while it is an expression that is not expanded yet."""
    should_retry: bool | None = None
    body: str | None = None

    def to_error(self, provider: str) -> ProviderError:
        """Make the error that the provider raises; the failure must be expanded."""
        return ProviderError(
            provider,
            self.kind,
            status=self.status,
            retry_after_ms=self.retry_after_ms,
            reset_at_ms=None if self.reset_at_ms is None else int(self.reset_at_ms),
            should_retry=self.should_retry,
            body=self.body,
        )


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """One scripted reply; exactly one of `envelope`, `fail`, `raw` and `empty` is set."""

    spot: Spot
    envelope: Mapping[str, Any] | None = None
    """What the model filled in, by real names; a property that is missing here is null."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Only beside an envelope."""
    fail: Failure | None = None
    raw: str | None = None
    """Text with no structure."""
    empty: bool = False
    """No text and no structure."""
    usage: Usage | None = None


class ModelScript(msgspec.Struct, frozen=True, kw_only=True):
    """The replies of one turn, by what the calls are for."""

    understand: tuple[Reply, ...] = ()
    speak: tuple[Reply, ...] = ()
    summary: tuple[Reply, ...] = ()

    def of(self, purpose: Purpose) -> tuple[Reply, ...]:
        """The replies to the calls of one purpose, in order."""
        match purpose:
            case "understand":
                return self.understand
            case "speak":
                return self.speak
            case "summary":
                return self.summary


# --- turn entries -------------------------------------------------------------------------------


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What every entry may say; UNSET means the scenario's default."""

    number: int
    """From 1: the position in `turns`, or for a fired entry in its `fired`."""
    spot: Spot
    session: str | None = None
    """None means the scenario's."""
    context: Any = UNSET
    anchors: Mapping[str, Anchor] | UnsetType = UNSET
    claims: HeldClaims | UnsetType = UNSET
    silenced: Silenced | UnsetType | None = UNSET
    history: History | UnsetType = UNSET
    agent: Spot | None = None
    """Another agent from this turn on: text or mapping, for `load_agent`."""
    expect: Block | None = None
    exactly: Block | None = None
    note: str | None = None

    @property
    def path(self) -> KeyPath:
        return self.spot.path

    @property
    def place(self) -> Place:
        """Where the entry stands in its file."""
        return self.spot.place()


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """The attempt that loses a race."""

    spot: Spot
    model: ModelScript | None = None
    """None plays the same script as the replay."""
    expect: Block | None = None
    exactly: Block | None = None


class InputEntry(Entry, frozen=True, kw_only=True):
    """An entry that plays one turn."""

    model: ModelScript = ModelScript()
    actions: Mapping[str, Results] = {}
    deliver: Literal["twice"] | None = None
    """`twice`: the same input arrives again after the save."""
    crash: Literal["before-save", "before-send"] | None = None


class MessageEntry(InputEntry, frozen=True, kw_only=True):
    """The customer writes."""

    text: str
    id: str | None
    """None: the message comes without an id."""
    at: str | None = None


class EventEntry(InputEntry, frozen=True, kw_only=True):
    """The host reports an event."""

    name: str
    key: str
    payload: Any = UNSET
    hop: int = 0


class StartEntry(InputEntry, frozen=True, kw_only=True):
    """The host starts a flow."""

    flow: str
    key: str
    input: Any = UNSET
    hop: int = 0


class WakeEntry(InputEntry, frozen=True, kw_only=True):
    """One scheduled wake fires now: an exact key, the earliest of a flow, or the earliest."""

    key: str | None = None
    flow: str | None = None
    """With no key and no flow: `wake: next`."""


class FiredEntry(InputEntry, frozen=True, kw_only=True):
    """What is expected of one wake that fires while time passes; it has no session of its own.

    What its `advance` says of the host (`context`, `silenced`, …) it has already inherited,
    where it says nothing itself: UNSET means the scenario's default here too.
    """


class AdvanceEntry(Entry, frozen=True, kw_only=True):
    """Time passes, and wakes fire on the way."""

    by_ms: int
    fired: tuple[FiredEntry, ...] | None = None
    """None: whatever fires is fine, and speaks only if it needs no model."""
    fire: bool = True
    """False: no wake fires."""


class ClockEntry(Entry, frozen=True, kw_only=True):
    """The clock is set."""

    at: str
    back: bool = False
    """Whether it may go back."""


Racer: TypeAlias = MessageEntry | EventEntry | StartEntry | WakeEntry
"""One of the two inputs of a race.

What the race says of the session and of the host (`context`, `silenced`, …) it has already
inherited, where it says nothing itself.
"""


class RaceEntry(Entry, frozen=True, kw_only=True):
    """Two inputs load the same session; the first saves, the second replays."""

    first: Racer
    second: Racer
    """Its expectations are judged on the replay."""
    lost: Lost | None = None


class ExpectEntry(Entry, frozen=True, kw_only=True):
    """Nothing happens: the state is looked at."""


TurnEntry: TypeAlias = (
    MessageEntry
    | EventEntry
    | StartEntry
    | WakeEntry
    | AdvanceEntry
    | ClockEntry
    | RaceEntry
    | ExpectEntry
)


# --- the scenario -------------------------------------------------------------------------------


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """Upper bounds; None is no bound."""

    llm_calls: int | None = None
    per_turn: int | None = None
    """Model calls in any one turn."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None


class PendingWake(msgspec.Struct, frozen=True):
    """A wake that waits when the scenario begins."""

    key: str
    at: str


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """Where the conversation stands before the first turn."""

    session: Spot | None = None
    """The mapping of a stored session, unchecked; its place is in its own file if it has one."""
    pending: tuple[PendingWake, ...] | None = None
    """None: whatever the session waits on."""
    history: tuple[HistoryItem, ...] = ()


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """One conversation to play, one combination of its matrix."""

    title: str
    """With the values of the matrix behind it: `title [clock=2026-03-29T00:30:00Z]`."""
    spot: Spot
    description: str | None = None
    tags: tuple[str, ...] = ()
    agent: Spot
    """Text or mapping, for `load_agent`."""
    stubs: Spot | None = None
    clock: str = DEFAULT_CLOCK
    session: str = DEFAULT_SESSION
    """The one that is given, when the file names none."""
    context: Any = {}
    anchors: Mapping[str, Anchor] = {}
    claims: HeldClaims = HeldClaims()
    silenced: Silenced | None = None
    history: History = "auto"
    store: str = "memory"
    """`memory`, `sqlite` or a store URL."""
    provider: Literal["scripted", "offline"] | Mapping[str, Any] = "scripted"
    """A mapping is `{model, cassette?, …}`."""
    given: Given = Given()
    matrix: Mapping[str, Any] = {}
    """The values of this combination, by the matrix's keys."""
    budget: Budget = Budget()
    promises: Promised = Promised()
    """What every turn is held to, whatever its entry expects."""
    script: Literal["exact", "loose"] = "exact"
    """`loose`: replies that are missing or left over, failures of the model and wakes that are
    not there are no failures of the scenario."""
    expressions: bool = True
    """False when the file holds no `${`, so that nothing needs to be expanded."""
    turns: Sequence[TurnEntry]
