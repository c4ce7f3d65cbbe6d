"""Records the tapes of scenarios/taped again, from a server with the answers below.

`make tapes` calls it when the prompts have changed. The answers stay the same; a tape on which
nothing changed but the day is left as it is.
"""

import asyncio
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from simulator.cassette.where import tape_path
from simulator.cli.printer import Printer
from simulator.load import load_document
from simulator.options import PlayOptions
from simulator.play import play
from simulator.reading import read_scenario
from simulator.scenario import Scenario
from simulator.trace import ScenarioRecord
from tests.modelserver.answers import Answer, Completion, called, enveloped, fails, said
from tests.modelserver.server import ModelServer

ROOT = Path(__file__).parents[1]
SCENARIOS = ROOT / "scenarios" / "taped"
CASSETTES = ROOT / "cassettes"

_PORT = re.compile(r"(?<=http://127\.0\.0\.1):\d+")
_TIMES = re.compile(r"durationMs: \d+|^recorded: .*$", re.MULTILINE)


def counted(answer: Completion, asked: int, said: int, cached: int = 0) -> Completion:
    """An answer for which the model counted these tokens."""
    usage: dict[str, Any] = {
        "prompt_tokens": asked,
        "completion_tokens": said,
        "total_tokens": asked + said,
        "prompt_tokens_details": {"cached_tokens": cached},
    }
    return Completion(pieces=answer.pieces, calls=answer.calls, usage=usage)


def understood(flow: str, score: int, *, asks: bool = False, **fields: Any) -> Completion:
    return enveloped(flows={flow: score}, fields=fields, asks=asks)


ANSWERS: Mapping[str, Sequence[Answer]] = {
    "31-first-words": [
        counted(understood("triagem", 96, imovel="casa"), 1010, 41, 512),
        counted(
            enveloped(
                message="Oi, Marina! Que bom que você quer gerar a própria energia. "
                "De quanto costuma vir a conta de luz?",
                imovel=None,
                conta=None,
            ),
            720,
            38,
        ),
        counted(understood("triagem", 80, conta=480), 1050, 33, 512),
        counted(understood("triagem", 80, confirma=True), 1055, 30, 512),
    ],
    "32-looking-things-up": [
        understood("agendar", 97, especialidade="cardiologia"),
        called("buscar_horarios", '{"especialidade": "cardiologia", "dia": "2026-04-06"}'),
        enveloped(
            message="Bom dia, Téo! Tenho quinta às 10h ou às 15h. Qual fica melhor?", horario=None
        ),
        understood("agendar", 85, horario="qui 10:00"),
        understood("agendar", 5, asks=True),
        enveloped(message="Isso eu não sei dizer daqui. Posso pedir para a recepção te confirmar?"),
    ],
    "33-too-many-requests": [
        fails(429, "Rate limit reached for requests per minute.", code="rate_limit_exceeded", Retry_After="20"),
        understood("where", 95, asks=True),
        fails(503, "The engine is currently overloaded, please try again later."),
        enveloped(message="Happy to look! Which order number is it?", tracked=None),
        understood("where", 70, tracked="L-2210"),
    ],
    "34-a-day-later": [
        understood("triagem", 88, asks=True, imovel="comércio"),
        enveloped(message="Depende do consumo da loja, Rui. De quanto costuma vir a conta de luz?"),
        enveloped(message="Oi, Rui! Conseguiu achar a conta de luz da loja?"),
        understood("triagem", 75, conta=1350),
    ],
    "35-an-outage-on-top": [
        understood("return", 98, orderNumber="L-3001", reason="broken"),
        enveloped(message="I'm so sorry about your lamp! How many boxes did it come in?"),
        understood("return", 80, boxes=1),
    ],
    "36-two-customers": [
        enveloped(message="Good to have you back! Tonight we open at six; come by and we will see."),
        said('Welcome! Here is how it is: {"message": "Tonight we open at six. Come by and we will see!"}'),
    ],
}  # fmt: skip
"""What the model answers in each scenario, in the order in which it is asked."""


def record(file: Path, folder: Path = CASSETTES) -> list[ScenarioRecord]:
    """Record the tapes of a scenario's file into a folder."""
    with ModelServer() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-of-the-test-server")
        patch.setenv("OPENAI_BASE_URL", server.url)
        server.answer(*ANSWERS[file.stem])
        records = [_record(scenario, folder) for scenario in read_scenario(load_document(file))]
        assert server.leftovers == 0, f"{file.name}: {server.leftovers} answers were not asked for"
    return records


def _record(scenario: Scenario, folder: Path) -> ScenarioRecord:
    path = tape_path(scenario, folder)
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    record = asyncio.run(play(scenario, PlayOptions(cassettes=folder, record="all")))
    new = _PORT.sub("", path.read_text(encoding="utf-8"))
    path.write_text(old if timeless(old) == timeless(new) else new, encoding="utf-8")
    return record


def timeless(tape: str) -> str:
    """A tape without what is another every day."""
    return _TIMES.sub("", tape)


def main() -> None:
    """Record all of them; exit code 1 when one does not pass."""
    records = [one for file in sorted(SCENARIOS.glob("*.yaml")) for one in record(file)]
    printer = Printer()
    for one in records:
        printer.scenario(one)
    sys.exit(any(one.status != "passed" for one in records))


if __name__ == "__main__":
    main()
