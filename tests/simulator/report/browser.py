"""A real browser without a window, driven over WebDriver with the standard library."""

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.request import Request, urlopen

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
DRIVER = shutil.which("chromedriver")
MISSING = [
    name for name, path in (("chromium", CHROMIUM), ("chromedriver", DRIVER)) if path is None
]
"""What has to be installed first; on Debian: chromium and chromium-driver."""

_ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",  # containers run as root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
]
_SECONDS = 60
_STARTED = "started successfully on port "


class Browser:
    """Opens pages, and remembers what they logged and what they asked the network for."""

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM is not None
        assert DRIVER is not None
        self._arguments = [*_ARGUMENTS, f"--user-data-dir={folder / 'profile'}"]
        self._driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, text=True)
        self._base = f"http://127.0.0.1:{self._port()}"

    def _port(self) -> int:
        assert self._driver.stdout is not None
        for line in self._driver.stdout:
            if _STARTED in line:
                return int(line.partition(_STARTED)[2].strip().rstrip("."))
        raise AssertionError("the driver did not start")

    def __enter__(self) -> Self:
        options = {"args": self._arguments, "binary": CHROMIUM}
        wanted = {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        made = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._base += f"/session/{made['sessionId']}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._ask("DELETE", "")
        finally:
            self._driver.terminate()
            self._driver.wait(_SECONDS)
            if self._driver.stdout is not None:
                self._driver.stdout.close()

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        data = json.dumps(body).encode() if body is not None else None
        request = Request(
            self._base + path, data, {"Content-Type": "application/json"}, method=method
        )
        with urlopen(request, timeout=_SECONDS) as answer:
            return json.load(answer)["value"]

    def _command(self, name: str, **parameters: Any) -> None:
        self._ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    # --- looking at a page --------------------------------------------------------------------

    def show(self, file: Path, *, width: int = 1280, scheme: str = "light") -> None:
        """Load a file as a reader with such a screen and such a preference would."""
        self._command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        preference = {"name": "prefers-color-scheme", "value": scheme}
        self._command("Emulation.setEmulatedMedia", features=[preference])
        self._ask("POST", "/url", {"url": "about:blank"})
        self.console()
        self.requests()
        self._ask("POST", "/url", {"url": file.resolve().as_uri()})

    def run(self, script: str, *arguments: Any) -> Any:
        """The value that a script returns on the page."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def console(self) -> list[str]:
        """What was logged since the last look: errors of scripts, of loading, of the policy."""
        return [entry["message"] for entry in self._ask("POST", "/se/log", {"type": "browser"})]

    def requests(self) -> list[str]:
        """Every address that was asked for since the last look, the page's own included."""
        entries = self._ask("POST", "/se/log", {"type": "performance"})
        events = [json.loads(entry["message"])["message"] for entry in entries]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]
