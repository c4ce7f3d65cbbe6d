"""The inspector with somebody at its keys: opens a file, presses, and looks at what stands there."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from tui.app import Inspector
from tui.screens.inspect import InspectScreen
from tui.widgets.lines import Lines

ROOT = Path(__file__).parents[2]
TRIAGE = ROOT / "scenarios" / "03-triage-asks-again.yaml"


class Driver:
    """What a test does with the inspector, and what it can see of it."""

    def __init__(self, app: Inspector, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until all that follows has happened."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def settle(self) -> None:
        """Wait for work in the background, but not for a question that is open."""
        await self.pilot.pause()
        await self.pilot.pause()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for something that a worker brings about."""
        for _ in range(500):
            if holds():
                await self.settle()
                return
            await asyncio.sleep(0)
            await self.pilot.pause()
        raise AssertionError("it did not come about")

    async def type(self, text: str) -> None:
        """Put a text into the line that has the focus, and press enter."""
        assert isinstance(self.app.focused, Input)
        self.app.focused.value = text
        await self.press("enter")

    async def focus(self, name: str) -> None:
        self.app.screen.query_one(f"#{name}").focus()
        await self.settle()

    @property
    def screen(self) -> InspectScreen:
        assert isinstance(self.app.screen, InspectScreen)
        return self.app.screen

    @property
    def place(self) -> str:
        return self.screen.sitting.place

    def lines(self, name: str) -> list[str]:
        """The lines of a widget, as text; none before it is there."""
        found = self.app.screen.query(f"#{name}").results(Lines)
        return [line.text.rstrip() for widget in found for line in widget.lines]

    def has(self, name: str, text: str) -> bool:
        return any(text in line for line in self.lines(name))

    def talks_of(self, text: str) -> bool:
        """Whether the conversation is on top, and holds a text."""
        return isinstance(self.app.screen, InspectScreen) and self.has("conversation", text)

    @property
    def told(self) -> list[str]:
        """What was told in passing."""
        return [str(it.message) for it in self.app._notifications]


@asynccontextmanager
async def opened(app: Inspector, size: tuple[int, int]) -> AsyncIterator[Driver]:
    async with app.run_test(size=size, notifications=True) as pilot:
        driver = Driver(app, pilot)
        await driver.until(lambda: len(app.screen_stack) > 1)
        yield driver


Play = Callable[[Driver], Awaitable[None]]


def drive(
    play: Play, path: Path = TRIAGE, size: tuple[int, int] = (120, 36), **options: Any
) -> None:
    """Open a path and play with it."""

    async def run() -> None:
        async with opened(Inspector(path, **options), size) as driver:
            await play(driver)

    asyncio.run(run())


def pressed(*keys: str, path: Path = TRIAGE, see: Sequence[str] = ()) -> str:
    """Where the cursor stands after some keys."""
    found: list[str] = []

    async def play(driver: Driver) -> None:
        await driver.press(*keys)
        found.append(driver.place)
        for text in see:
            assert any(driver.has(name, text) for name in ("tab", "conversation", "turns", "bar"))

    drive(play, path)
    return found[0]
