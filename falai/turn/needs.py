"""What a turn asks of the world: model calls, actions and tool calls, and where it may be stopped."""

from collections.abc import Generator, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeAlias, TypeVar

import msgspec

from falai.providers.base import ModelCall
from falai.words.context import ActionCtx, ToolCtx
from falai.words.registry import Action, Tool


class Phase(StrEnum):
    """The eight phases, in order. A turn stops before each of them."""

    LOAD = "load"
    INGEST = "ingest"
    UNDERSTAND = "understand"
    DECIDE = "decide"
    RUN = "run"
    SPEAK = "speak"
    SETTLE = "settle"
    FINISH = "finish"


class ActionCall(msgspec.Struct, frozen=True, kw_only=True):
    """A `do` step wants its action run; the answer is what the handler returned."""

    name: str
    key: str
    args: Mapping[str, Any]
    action: Action
    ctx: ActionCtx[Any]


class ToolRun(msgspec.Struct, frozen=True, kw_only=True):
    """One tool to run with checked arguments."""

    tool: Tool
    args: Mapping[str, Any]
    ctx: ToolCtx[Any]


class ToolBatch(msgspec.Struct, frozen=True, kw_only=True):
    """Tools that may run at the same time.

    The answer is a list in the same order: what each handler returned, or what it raised.
    """

    runs: Sequence[ToolRun]


Need: TypeAlias = ModelCall | ActionCall | ToolBatch

T = TypeVar("T")
Steps: TypeAlias = Generator[Phase | Need, Any, T]
"""A part of a turn: it yields what it needs and is sent the answer."""
