"""The service of examples/webhook, end to end on loopback: nothing is lost, and nothing comes twice."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PATIENCE = 60
"""Seconds after which something will not come any more."""


class Phone:
    """Gets the replies; of two with the same key it keeps the first."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self._came = threading.Condition()
        phone = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                phone.take(body)
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, body: dict[str, str]) -> None:
        with self._came:
            self.texts.setdefault(body["key"], body["text"])
            self._came.notify_all()

    def wait_for(self, count: int) -> list[str]:
        with self._came:
            assert self._came.wait_for(lambda: len(self.texts) >= count, PATIENCE), self.texts
            return list(self.texts.values())


class Machine:
    """The two processes, on files and ports of the test's own."""

    def __init__(self, folder: Path, phone: Phone) -> None:
        self.port = free_port()
        self._folder = folder
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "DATABASE": f"sqlite:///{folder / 'webhook.db'}",
            "QUEUE": str(folder / "queue.db"),
            "CALLBACK": f"http://127.0.0.1:{phone.server.server_port}/",
            "PORT": str(self.port),
        }
        self.worker = self.start_worker()
        self.service = self._start("-m", "examples.webhook.service")

    def start_worker(self) -> "subprocess.Popen[bytes]":
        consumer = str(Path(sys.executable).parent / "huey_consumer")
        return self._start(consumer, "examples.webhook.jobs.queue", "-d", "0.05")

    def _start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def say(self, message: str, text: str, session: str = "rosa") -> int:
        """Post a message, as soon as the service listens."""
        body = json.dumps({"session": session, "id": message, "text": text})
        while True:
            connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            try:
                connection.request("POST", "/messages", body)
                return connection.getresponse().status
            except ConnectionRefusedError:
                assert self.service.poll() is None, "the service has died"
            finally:
                connection.close()

    def stop(self) -> None:
        for process in (self.service, self.worker):
            process.kill()
            process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def phone() -> Iterator[Phone]:
    made = Phone()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def machine(tmp_path: Path, phone: Phone) -> Iterator[Machine]:
    made = Machine(tmp_path, phone)
    yield made
    made.stop()


def test_messages_are_answered_once_and_a_killed_worker_loses_none(machine: Machine, phone: Phone):
    assert machine.say("m1", "I want my bike repaired") == 202
    phone.wait_for(1)
    assert machine.say("m1", "I want my bike repaired") == 202
    machine.worker.send_signal(signal.SIGKILL)
    machine.worker.wait()
    for number in range(2, 8):
        assert machine.say(f"m{number}", f"hello {number}", f"s{number}") == 202
    machine.worker = machine.start_worker()
    assert len(phone.wait_for(7)) == 7


def test_what_is_no_message_is_refused(machine: Machine):
    connection = HTTPConnection("127.0.0.1", machine.port, timeout=PATIENCE)
    machine.say("m1", "hello")
    connection.request("POST", "/messages", "nonsense")
    assert connection.getresponse().status == 400
    connection.close()
