"""Asking the model: the one place where calls and tokens are counted."""

from falai.providers.base import ModelCall, ModelReply
from falai.turn.needs import Steps
from falai.turn.state import Turn
from falai.words.turn import Usage

_NOTHING = Usage()
"""A row of zeros: nobody counted."""


def ask(turn: Turn, call: ModelCall) -> Steps[ModelReply]:
    """Send a call and take its reply; a call that fails counts as well."""
    turn.llm_calls += 1
    reply: ModelReply = yield call
    if reply.usage is not None and reply.usage != _NOTHING:
        turn.usage = _sum(turn.usage or _NOTHING, reply.usage)
    return reply


def _sum(left: Usage, right: Usage) -> Usage:
    return Usage(
        prompt_tokens=left.prompt_tokens + right.prompt_tokens,
        completion_tokens=left.completion_tokens + right.completion_tokens,
        cached_input_tokens=left.cached_input_tokens + right.cached_input_tokens,
    )
