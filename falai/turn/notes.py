"""What one phase of a turn leaves for a later one: who listens, and what was answered."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from falai.errors import ProviderError
from falai.plan import FlowPlan
from falai.words.flow import Talk
from falai.words.session import Run


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """Who might take a message, worked out before anything is judged."""

    floor: Run | None
    """The asking run, else the run that the input woke."""
    eligible: Sequence[FlowPlan]
    catch_all: FlowPlan | None
    """The first catch-all that may start."""
    unscored: FlowPlan | None
    """The lone eligible flow, when it starts without being scored."""


class Spoken(msgspec.Struct, frozen=True):
    """What the model said in the end, with what it gathered on the way."""

    message: str
    fields: Mapping[str, Any]
    """Values for the step's fields, unchecked; of several rounds the last one wins."""
    data: Mapping[str, Any]
    """What tools wrote, merged in the order of the calls."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the speak call came to, not yet applied."""

    run: Run | None
    """None for the idle speaker."""
    step: Talk | None
    spoken: Spoken | None = None
    failure: ProviderError | None = None
    calls: int = 0
    asks_question: bool = False
    """The fixed question follows the answer."""
