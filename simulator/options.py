"""How scenarios are played: what a command or a test may choose."""

from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from falai.clock import Clock, SystemClock

RecordMode: TypeAlias = Literal["none", "once", "new_episodes", "all"]
"""`none` plays what is on the tape. `once` records where there is no tape, and plays otherwise.
`new_episodes` plays what is on the tape and records the rest. `all` records everything again."""

RECORD_MODES: tuple[RecordMode, ...] = ("none", "once", "new_episodes", "all")


class PlayOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for every scenario of a run."""

    cassettes: Path | None = None
    """The folder of the tapes; None looks for one above each scenario."""
    record: RecordMode = "none"
    store: str | None = None
    """`memory`, `sqlite` or a store URL, in place of what each scenario says."""
    strict: bool = False
    """Whether a recorded call that nobody made is a failure."""
    unscripted: bool = False
    """Whether the model answers also where a reply is scripted."""
    phases: bool = False
    """Whether the record tells what stood after each phase of every turn."""
    today: Clock = SystemClock()
    """Tells the day that a recording is dated with; it never reaches a turn."""
