"""What an agent registers by name: actions, events, conditions and tools."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from falai.words.context import ActionCtx, Ctx, ToolCtx
from falai.words.flow import Param

ActionHandler: TypeAlias = Callable[[Mapping[str, Any], ActionCtx[Any]], Awaitable[Any] | Any]
"""Takes the rendered `with` and the context; returns one of the action results."""

ToolHandler: TypeAlias = Callable[[Mapping[str, Any], ToolCtx[Any]], Awaitable[Any] | Any]
"""Takes the model's arguments and the context; returns `{value?, data?}`."""

Condition: TypeAlias = Callable[[Ctx[Any], Any], bool]
"""Takes the context and the argument that a condition mapping gives."""


class Action(msgspec.Struct, frozen=True):
    """Host code that a `do` step runs.

    The handler returns `{"ok": True, "detail"?, "spoke"?}`, `{"skipped": reason}`,
    `{"failed": reason}` or `{"defer": duration, "detail"?}`; raising counts as failed.
    It runs at least once for its key.
    """

    handler: ActionHandler
    parameters: Mapping[str, Param] | None = None


class EventDef(msgspec.Struct, frozen=True):
    """An event of the host that triggers and waits may name."""

    direction: Literal["inbound", "outbound"] | None = None
    """`inbound`: the customer acted; `outbound`: somebody spoke for the assistant."""


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A function that the model may call while it phrases a reply."""

    id: str
    description: str
    parameters: Mapping[str, Any]
    """A JSON Schema object."""
    handler: ToolHandler
    is_read_only: bool = False
    is_concurrency_safe: bool = False
    is_destructive: bool = False
    validate_input: Callable[[Mapping[str, Any]], str | None] | None = None
    """Returns what is wrong with the arguments, or None."""
    check_permissions: Callable[[Mapping[str, Any], ToolCtx[Any]], str | None] | None = None
    """Returns why the call is not allowed, or None."""
    max_result_chars: int | None = None


class Idle(msgspec.Struct, frozen=True):
    """Who answers when no run does."""

    prompt: str | None = None
    tools: tuple[str, ...] | None = None
    instructions: tuple[Any, ...] | None = None
