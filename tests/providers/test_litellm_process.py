"""What loading and using litellm does to a process."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.modelserver.answers import Request, Response, fails, said
from tests.modelserver.server import ModelServer
from tests.providers.kit import KEY

ROOT = Path(__file__).parents[2]


def run(script: str, *arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a fresh interpreter, in which every warning is an error."""
    inherited = {name: value for name, value in os.environ.items() if "LITELLM" not in name}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        env={**inherited, "PYTHONPATH": str(ROOT), **env},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


IMPORTS = """
import sys
import falai
from falai.providers.litellm import LiteLLMProvider
from falai.providers.compatible import openai_compatible
from falai.providers.fallback import FallbackProvider

model = LiteLLMProvider("openai/some-model", api_key="k")
FallbackProvider([model, openai_compatible(base_url="u", api_key="k", model="m", name="n")])
heavy = {"litellm", "openai", "httpx", "aiohttp", "pydantic"}
print(sorted(heavy & {name.partition(".")[0] for name in sys.modules}))
"""


def test_a_provider_is_built_without_loading_litellm(tmp_path: Path):
    done = run(IMPORTS, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("[]\n", "")


# --- one process that makes calls of every sort -------------------------------------------------

SCRIPT = """
import sys

connected, looked_up = [], []

def look(event, arguments):
    if event == "socket.connect":
        connected.append(arguments[1])
    if event == "socket.getaddrinfo":
        looked_up.append(arguments[0])

sys.addaudithook(look)

import asyncio, json, logging, os, threading
from falai import ModelCall, ProviderError
from falai.providers.litellm import LiteLLMProvider

url, key, report, *names = sys.argv[1:]
model = LiteLLMProvider("openai/some-model", api_base=url, api_key=key, retries=0)

def asking(system):
    return ModelCall(purpose="speak", system=system, history=[], prompt="Oi!", schema=None)

async def listen(system):
    return [chunk.text async for chunk in model.stream(asking(system))]

def opened():
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0

def go_on():
    asyncio.run(model.generate(asking("a")))
    asyncio.run(listen("a"))
    return opened()

def fail(ask):
    try:
        asyncio.run(ask)
    except ProviderError as error:
        return error.kind

first = go_on()
sockets = [go_on() - first for _ in range(5)]
kinds = [fail(model.generate(asking("fail"))), fail(listen("fail"))]
unread = sys.modules["litellm.litellm_core_utils.logging_worker"].GLOBAL_LOGGING_WORKER
pending = unread.pending_count
logging.getLogger("LiteLLM").warning("as litellm does for calls that are none of its business")

said = []

def ask_often():
    for _ in range(3):
        said.append(asyncio.run(model.generate(asking("a"))).message)

threads = [threading.Thread(target=ask_often) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

with open(report, "w", encoding="utf-8") as file:
    json.dump(
        {
            "connected": connected,
            "looked_up": looked_up,
            "sockets": sockets,
            "kinds": kinds,
            "pending": pending,
            "said": said,
            "environment": {name: os.environ.get(name) for name in names},
        },
        file,
    )
"""


@dataclass(frozen=True)
class Played:
    """The process that has ended."""

    port: int
    output: tuple[str, str]
    """What it printed, and what it complained of."""
    report: dict[str, Any]


def answer(request: Request) -> Response:
    fail = request.messages[0]["content"] == "fail"
    return (fails(401) if fail else said("a"))(request)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("process")
    (folder / ".env").write_text("FROM_THE_FILE=1\n", encoding="utf-8")
    report = folder / "report.json"
    names = ("FROM_THE_FILE", "LITELLM_RUST", "LITELLM_OFFLINE_MODE")
    with ModelServer() as server:
        server.answer_by(answer)
        arguments = (server.url, KEY, str(report), *names)
        done = run(SCRIPT, *arguments, cwd=folder, LITELLM_RUST="0")
        assert done.returncode == 0, done.stderr
        read = json.loads(report.read_bytes())
        return Played(server.port, (done.stdout, done.stderr), read)


def test_calls_go_to_their_server_and_nowhere_else(played: Played):
    assert played.report["connected"]
    assert all(place == ["127.0.0.1", played.port] for place in played.report["connected"])
    assert set(played.report["looked_up"]) <= {"127.0.0.1"}


def test_nothing_is_printed_or_logged_and_no_warning_is_raised(played: Played):
    assert played.report["kinds"] == ["auth", "auth"]
    assert played.output == ("", "")


def test_settings_of_the_environment_are_kept_and_no_env_file_is_read(played: Played):
    assert played.report["environment"] == {
        "FROM_THE_FILE": None,
        "LITELLM_RUST": "0",
        "LITELLM_OFFLINE_MODE": "true",
    }


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts the sockets in /proc")
def test_a_script_that_runs_loop_after_loop_keeps_no_sockets(played: Played):
    assert played.report["sockets"] == [0] * 5


def test_nor_does_it_keep_what_litellm_wants_to_log(played: Played):
    """Each of its entries holds a whole reply."""
    assert played.report["pending"] == 0


def test_loops_in_several_threads_do_not_close_each_others_connections(played: Played):
    assert played.report["said"] == ["a"] * 12
