"""A conversation engine: the model understands, the code decides."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from falai.agent import Agent
from falai.clock import Clock, FakeClock, SystemClock
from falai.compaction import Compaction
from falai.declared import ask
from falai.errors import (
    EmptyReplyError,
    ErrorKind,
    FlowConfigurationError,
    InvalidSessionError,
    ProviderError,
    ScriptError,
    SessionConflictError,
)
from falai.hours import BusinessHours
from falai.migrate import assert_session, migrate_session
from falai.outcomes import OUTCOME_MESSAGES
from falai.providers.base import Chunk, ModelCall, ModelReply, Provider, ToolCall, ToolOffer
from falai.providers.scripted import ScriptedProvider
from falai.scheduler import MemoryScheduler
from falai.spec.convert import from_spec, to_spec
from falai.spec.registries import Registries
from falai.spec.schema import flow_spec_schema
from falai.spec.validate import validate_flow
from falai.stores.base import Store
from falai.stores.memory import MemoryStore
from falai.toolkit import chain, defer, failed, falai, goto, ok, skipped
from falai.turn.given import TurnArgs
from falai.turn.needs import ActionCall, Need, Phase, ToolBatch, ToolRun
from falai.turn.stepping import Delta, Exchange, Stepper
from falai.words.context import ActionCtx, Ctx, ToolCtx
from falai.words.data import Data, Fields
from falai.words.field import Field
from falai.words.flow import (
    Branch,
    Chain,
    Do,
    Event,
    Flow,
    Goto,
    If,
    Instruction,
    Mention,
    Message,
    Param,
    Say,
    Silence,
    Talk,
    Wait,
    WaitEvent,
)
from falai.words.outcome import Outcome
from falai.words.registry import Action, EventDef, Idle, Tool
from falai.words.session import Run, Session
from falai.words.turn import Anchor, OutMessage, Silenced, TurnResult, Usage, Wake

if TYPE_CHECKING:
    from falai.providers.compatible import openai_compatible
    from falai.providers.fallback import FallbackProvider
    from falai.providers.litellm import LiteLLMProvider
    from falai.providers.offline import OfflineProvider
    from falai.stores.opening import open_store
    from falai.stores.redis import RedisStore
    from falai.stores.sql import SqlStore
    from falai.stores.sqlite import SQLiteStore

_LATER = {
    "FallbackProvider": "falai.providers.fallback",
    "LiteLLMProvider": "falai.providers.litellm",
    "OfflineProvider": "falai.providers.offline",
    "open_store": "falai.stores.opening",
    "openai_compatible": "falai.providers.compatible",
    "RedisStore": "falai.stores.redis",
    "SQLiteStore": "falai.stores.sqlite",
    "SqlStore": "falai.stores.sql",
}
"""Names that are loaded when somebody asks for them: what they need is slow to load."""


if not TYPE_CHECKING:  # a checker that sees this one takes every name

    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_LATER[name]), name)


__all__ = [
    "Action",
    "ActionCall",
    "ActionCtx",
    "Agent",
    "Anchor",
    "ask",
    "assert_session",
    "Branch",
    "BusinessHours",
    "chain",
    "Chain",
    "Chunk",
    "Clock",
    "Compaction",
    "Ctx",
    "Data",
    "defer",
    "Delta",
    "Do",
    "EmptyReplyError",
    "ErrorKind",
    "Event",
    "EventDef",
    "Exchange",
    "failed",
    "FakeClock",
    "falai",
    "FallbackProvider",
    "Field",
    "Fields",
    "Flow",
    "flow_spec_schema",
    "FlowConfigurationError",
    "from_spec",
    "goto",
    "Goto",
    "Idle",
    "If",
    "Instruction",
    "InvalidSessionError",
    "LiteLLMProvider",
    "MemoryScheduler",
    "MemoryStore",
    "Mention",
    "Message",
    "migrate_session",
    "ModelCall",
    "ModelReply",
    "Need",
    "OfflineProvider",
    "ok",
    "open_store",
    "openai_compatible",
    "Outcome",
    "OUTCOME_MESSAGES",
    "OutMessage",
    "Param",
    "Phase",
    "Provider",
    "ProviderError",
    "RedisStore",
    "Registries",
    "Run",
    "Say",
    "ScriptedProvider",
    "ScriptError",
    "Session",
    "SessionConflictError",
    "Silence",
    "Silenced",
    "skipped",
    "SQLiteStore",
    "SqlStore",
    "Stepper",
    "Store",
    "SystemClock",
    "Talk",
    "to_spec",
    "Tool",
    "ToolBatch",
    "ToolCall",
    "ToolCtx",
    "ToolOffer",
    "ToolRun",
    "TurnArgs",
    "TurnResult",
    "Usage",
    "validate_flow",
    "Wait",
    "WaitEvent",
    "Wake",
]
