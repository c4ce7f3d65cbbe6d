"""One trigger of a spec as its struct."""

from collections.abc import Callable, Mapping

from falai.spec.part import Part
from falai.spec.pieces import needed_duration, read_duration, read_params, read_repeat
from falai.words.flow import Event, Mention, Message, Silence, Trigger

KEYS: Mapping[str, tuple[str, ...]] = {
    "message": (),
    "mention": ("extract",),
    "silence": ("businessHours",),
    "event": ("after", "businessHours"),
}
"""What each kind may hold besides its own key, `if` and `repeat`."""


def read_trigger(part: Part) -> Trigger:
    """Read a trigger of whichever kind it names."""
    kind = _kind(part)
    part.close((kind, "if", "repeat", *KEYS[kind]))
    return _READ[kind](part)


def _kind(part: Part) -> str:
    kinds = [key for key in KEYS if part.raw.get(key) is not None]
    if not kinds:
        part.close((*KEYS, "if", "repeat", "extract", "businessHours", "after"))
        raise part.refusal("names no kind", "Give it one of message, mention, silence, event.")
    if len(kinds) > 1:
        raise part.refusal(f"names two kinds: {kinds[0]} and {kinds[1]}", "Make them two triggers.")
    return kinds[0]


def _read_message(part: Part) -> Message:
    return Message(_phrases(part, "message"), part.predicate("if"), read_repeat(part))


def _read_mention(part: Part) -> Mention:
    return Mention(
        _phrases(part, "mention"),
        read_params(part, "extract"),
        part.predicate("if"),
        read_repeat(part),
    )


def _phrases(part: Part, key: str) -> tuple[str, ...]:
    phrases = part.texts(key) or ()
    wanted = [text for text in phrases if text.strip() and not text.strip().startswith("!")]
    if phrases and not wanted:
        raise part.refusal(
            f"{key} has exclusions only", 'Add a phrase that does not start with "!".'
        )
    return phrases


def _read_silence(part: Part) -> Silence:
    return Silence(
        needed_duration(part, "silence"),
        part.predicate("if"),
        part.flag("businessHours"),
        read_repeat(part),
    )


def _read_event(part: Part) -> Event:
    return Event(
        part.needed_name("event"),
        part.predicate("if"),
        read_duration(part, "after"),
        part.flag("businessHours"),
        read_repeat(part),
    )


_READ: Mapping[str, Callable[[Part], Trigger]] = {
    "message": _read_message,
    "mention": _read_mention,
    "silence": _read_silence,
    "event": _read_event,
}
