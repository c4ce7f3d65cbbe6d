"""When a history is too long, and the ways to make it shorter that need no model."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from falai.errors import FlowConfigurationError
from falai.shapes import compact, is_mapping
from falai.words.turn import HistoryItem

_CHARACTERS_PER_TOKEN = 4
_CHARACTERS_PER_MESSAGE = 4
"""What a message costs beside its words."""
_BLANKS = re.compile(r"\s+")


class Compaction(msgspec.Struct, frozen=True, rename="camel"):
    """How much history the model calls of a turn may carry.

    Raises FlowConfigurationError for a value out of range.
    """

    max_tokens: int
    """What the history may take, as `estimate` counts it."""
    compaction_threshold: float = 0.8
    """The share of it, 0.5 to 0.95, at which the history is made shorter."""
    preserve_recent_count: int = 4
    """The newest messages, at least 2, that stay as they are."""
    max_tool_result_chars: int = 5_000
    """Where an older tool result is cut."""
    enabled: bool = True

    @classmethod
    def read(cls, given: object) -> "Compaction | None":
        """Take the option as an agent gets it: built, as a mapping, or not at all."""
        if given is None or isinstance(given, cls):
            return given
        if is_mapping(given):
            return cls.from_mapping(given)
        raise _problem(f"is {compact(given)}", "Give a Compaction, or a mapping with maxTokens.")

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any]) -> "Compaction":
        """Read `{maxTokens, compactionThreshold?, …}`, as an agent file has it."""
        names = dict(zip(cls.__struct_encode_fields__, cls.__struct_fields__, strict=True))
        for key in mapping:
            if key not in names:
                raise _problem(f"has no key {compact(key)}", f"Use {', '.join(names)}.")
        if "maxTokens" not in mapping:
            raise _problem("lacks maxTokens", "Say how many tokens the history may take.")
        return cls(**{names[key]: value for key, value in mapping.items()})

    def __post_init__(self) -> None:
        _check_whole("maxTokens", self.max_tokens, least=1)
        _check_share("compactionThreshold", self.compaction_threshold)
        _check_whole("preserveRecentCount", self.preserve_recent_count, least=2)
        _check_whole("maxToolResultChars", self.max_tool_result_chars, least=1)
        _check_flag("enabled", self.enabled)

    def is_due(self, history: Sequence[HistoryItem]) -> bool:
        """Whether the history is too long."""
        return self.enabled and self._is_too_much(_characters(history))

    def edge(self, history: Sequence[HistoryItem]) -> int:
        """Where the messages begin that stay as they are; never between a call and its result."""
        edge = max(len(history) - self.preserve_recent_count, 0)
        while edge > 0 and _is_result(history[edge]):
            edge -= 1
        return edge

    def shorten(self, history: Sequence[HistoryItem]) -> Sequence[HistoryItem]:
        """Cut long tool results, then collapse their blanks; stop at the first that is enough."""
        edge = self.edge(history)
        for shorter in (self._cut, _collapse):
            if not self.is_due(history):
                break
            older = [shorter(item) if _is_result(item) else item for item in history[:edge]]
            history = [*older, *history[edge:]]
        return history

    def drop_oldest(self, history: Sequence[HistoryItem]) -> Sequence[HistoryItem]:
        """Leave out the oldest messages until the rest fits, or nothing but the newest is left."""
        edge, start, left = self.edge(history), 0, _characters(history)
        while start < edge and self._is_too_much(left):
            # The results of a call go with it.
            end = _end_of_round(history, start)
            left -= _characters(history[start:end])
            start = end
        return history[start:]

    def _is_too_much(self, characters: int) -> bool:
        return _tokens(characters) >= self.compaction_threshold * self.max_tokens

    def _cut(self, item: HistoryItem) -> HistoryItem:
        text, limit = text_of(item.get("content")), self.max_tool_result_chars
        return _told_as(f"{text[:limit]}… [cut: the full result has {len(text)} characters]", item)


def estimate(history: Sequence[HistoryItem]) -> int:
    """About how many tokens a history takes, the same for every model."""
    return _tokens(_characters(history))


def text_of(value: object) -> str:
    """A part of a message as text; what a host keeps in another shape is spelled as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else compact(value)


def _tokens(characters: int) -> int:
    return -(-characters // _CHARACTERS_PER_TOKEN)


def _characters(history: Sequence[HistoryItem]) -> int:
    return sum(
        len(text_of(item.get("content"))) + len(text_of(item.get("name"))) + _CHARACTERS_PER_MESSAGE
        for item in history
    )


def _is_result(item: HistoryItem) -> bool:
    return item.get("role") == "tool"


def _end_of_round(history: Sequence[HistoryItem], start: int) -> int:
    """Behind a message and the tool results that answer it."""
    end = start + 1
    while end < len(history) and _is_result(history[end]):
        end += 1
    return end


def _collapse(item: HistoryItem) -> HistoryItem:
    """Make every run of blanks one: a line break where it had any."""
    text = text_of(item.get("content")).strip()
    return _told_as(_BLANKS.sub(lambda run: "\n" if "\n" in run[0] else " ", text), item)


def _told_as(text: str, item: HistoryItem) -> HistoryItem:
    """A message with another text, if that is shorter: a notice may be longer than what it cuts."""
    is_shorter = len(text) < len(text_of(item.get("content")))
    return {**item, "content": text} if is_shorter else item


# --- checks -----------------------------------------------------------------------------------


def _check_whole(option: str, value: object, *, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise _refused(option, value, f"Use a whole number, at least {least}.")


def _check_share(option: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.5 <= value <= 0.95:
        raise _refused(option, value, "Use a number from 0.5 to 0.95.")


def _check_flag(option: str, value: object) -> None:
    if not isinstance(value, bool):
        raise _refused(option, value, "Use true or false.")


def _refused(option: str, value: object, fix: str) -> FlowConfigurationError:
    return _problem(f"has {option} {compact(value)}", fix)


def _problem(what: str, fix: str) -> FlowConfigurationError:
    return FlowConfigurationError.at("agent", f"compaction {what}", fix)
