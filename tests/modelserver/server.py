"""An OpenAI-compatible chat server on loopback that answers as it is told and keeps what it got."""

import socket
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.modelserver.answers import CUT, HOLD, Answer, Part, Request, Response, raw

_PATIENCE_S = 30
"""How long an answer that is held waits at most, should a test forget it."""

_UNSCRIPTED = raw(b"the test gave no answer for this request", 418, Content_Type="text/plain")


class ModelServer:
    """Serves `POST <url>/chat/completions` from a thread; used as a context manager.

    `answer(…)` queues what the next requests get, in the order in which they arrive; with
    `answer_by(…)` a function of the request decides. A request without an answer gets a 418, and
    is counted in `surprises`.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.surprises = 0
        self._queue: deque[Answer] = deque()
        self._by: Answer | None = None
        self._lock = threading.Lock()
        self.ending = threading.Event()
        """Set when the server stops."""
        self._http = _Http(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._serve, name="model-server", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Refuse connections from now on, and end those that are open."""
        self.ending.set()
        self._http.shutdown()
        self._http.server_close()
        self._http.hang_up()
        self._thread.join()

    @property
    def port(self) -> int:
        return self._http.server_port

    @property
    def url(self) -> str:
        """What a client takes as its base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def last(self) -> Request:
        return self.requests[-1]

    @property
    def leftovers(self) -> int:
        """How many answers nobody asked for."""
        return len(self._queue)

    def answer(self, *answers: Answer) -> None:
        self._queue.extend(answers)

    def answer_by(self, answer: Answer) -> None:
        self._by = answer

    def respond(self, request: Request) -> Response:
        """Keep a request and make its response."""
        with self._lock:
            self.requests.append(request)
            return self._next()(request)

    def _next(self) -> Answer:
        if self._by is not None:
            return self._by
        if self._queue:
            return self._queue.popleft()
        self.surprises += 1
        return _UNSCRIPTED

    def _serve(self) -> None:
        # The interval only bounds how long `stop` takes.
        self._http.serve_forever(poll_interval=0.01)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, *arguments: Any) -> None:
        self._open: set[socket.socket] = set()
        super().__init__(*arguments)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        for connection in tuple(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone away is nothing to report."""


def _handler_of(server: ModelServer) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(_Handler):
        model = server

    return Handler


class _Handler(BaseHTTPRequestHandler):
    model: ModelServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path, headers, self.rfile.read(length))
        self._send(self.model.respond(request))

    def do_GET(self) -> None:
        self.do_POST()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Print nothing."""

    def _send(self, response: Response) -> None:
        whole = all(isinstance(part, bytes) for part in response.parts) and len(response.parts) == 1
        begun = False
        for part in response.parts:
            if part is CUT:
                self.close_connection = True
                return
            if not isinstance(part, bytes):
                (self.model.ending if part is HOLD else part).wait(_PATIENCE_S)
                continue
            if not begun:
                self._head(response, part if whole else None)
                begun = True
            self.wfile.write(part if whole else _chunked(part))
            self.wfile.flush()
        if begun and not whole:
            self.wfile.write(_chunked(b""))

    def _head(self, response: Response, body: Part | None) -> None:
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if isinstance(body, bytes):
            self.send_header("Content-Length", str(len(body)))
        else:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()


def _chunked(part: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(part), part)
