"""Takes the picture of the README: `python -m tests.tui.picture FILE`, or `make snapshots`."""

import asyncio
import sys
from pathlib import Path

from tests.tui.pilot import TRIAGE, opened
from tui.app import Inspector


async def take() -> str:
    """Stand where a field has just changed, with a watch and a breakpoint."""
    app = Inspector(TRIAGE)
    async with opened(app, (140, 30)) as driver:
        await driver.press("w")
        await driver.type("floor")
        await driver.press("colon")
        await driver.type("4.settle")
        await driver.press("b", "colon")
        await driver.type("4.decide")
        await driver.settle()
        app.clear_notifications()
        await driver.settle()
        return app.export_screenshot(title="falai tui")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(asyncio.run(take()), encoding="utf-8")
