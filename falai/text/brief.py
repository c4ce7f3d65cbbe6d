"""What a call is about before it is put into words: for a stand-in that reads no prose."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from falai.text.envelope import Envelope
from falai.text.judging import Judging
from falai.text.profile import Profile
from falai.text.speech import Speech
from falai.words.turn import HistoryItem


class Excerpt(Struct, frozen=True):
    """The part of a history that is to be summed up."""

    messages: Sequence[HistoryItem]


Matter: TypeAlias = Judging | Speech | Excerpt
"""What an understand, a speak and a summary call is about."""


class Brief(Struct, frozen=True, kw_only=True):
    """Everything that a call's prompt was written from."""

    profile: Profile
    about: Matter
    envelope: Envelope
    """The shape of the reply, and the names under which its parts travel."""
    data: Mapping[str, Any] = {}
    """What is known."""
    roots: Mapping[str, Any] = {}
    """Where the paths of templates begin."""
