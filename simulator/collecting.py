"""Puts off the garbage collector while much is made and all of it kept."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Generator[None]:
    """Let nothing be collected meanwhile.

    The collector looks through all that lives whenever it has grown by a quarter, which for a
    long file takes as long as reading it.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
