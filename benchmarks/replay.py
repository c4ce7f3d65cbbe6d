"""What a recorded call costs beside a scripted one: `python -m benchmarks.replay [CALLS]`.

Both answer the same calls with the same replies. The recorded ones go the whole way: prompt, litellm,
HTTP client, tape, and back. Memory is what the process grew by while it played, when everything was
loaded and played once before.
"""

import asyncio
import gc
import json
import sys
from pathlib import Path
from time import perf_counter

import click

from falai.clock import FakeClock
from falai.providers.base import ModelCall, Provider
from falai.providers.scripted import ScriptedProvider
from simulator.cassette.bodies import Body
from simulator.cassette.deck import inserted
from simulator.cassette.recorder import Recorder
from simulator.cassette.scrub import Scrubber
from simulator.cassette.tape import (
    Tape,
    TapedCall,
    TapedRequest,
    TapedResponse,
    read_tape,
    tape_data,
)
from simulator.cassette.taped import TapedProvider, client_of
from simulator.load import Document
from simulator.yamlout import yaml_text

CALLS = 500
MODEL = "openai/gpt-4.1-mini"
REPLY = {"message": "Oi! Como posso ajudar?", "name": None}
SYSTEM = "Você é a Ana, da Sol da Serra, que instala energia solar. " * 45
URL = "https://api.openai.com/v1/chat/completions"


def call(number: int) -> ModelCall:
    """A call of the size that a conversation of some turns makes."""
    history = [{"role": "user", "content": "oi"}, {"role": "assistant", "content": "Oi!"}]
    return ModelCall(
        purpose="speak",
        system=SYSTEM,
        history=history,
        prompt=f"{'Responda ao cliente e pergunte o que falta. ' * 10}Mensagem {number}.",
        schema=None,
    )


def taped(number: int) -> TapedCall:
    """What a server would have answered to it."""
    made = call(number)
    messages = [
        {"role": "system", "content": made.system},
        *made.history,
        {"role": "user", "content": made.prompt},
    ]
    message = {"role": "assistant", "content": json.dumps(REPLY)}
    answer = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "gpt-4.1-mini",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920},
    }
    asked = {"model": "gpt-4.1-mini", "messages": messages}
    headers = {"content-type": "application/json"}
    return TapedCall(
        turn=str(number),
        purpose="speak",
        duration_ms=800,
        request=TapedRequest(method="POST", url=URL, headers=headers, body=Body("json", asked)),
        response=TapedResponse(status=200, headers=headers, body=Body("json", answer)),
    )


async def play(provider: Provider, calls: list[ModelCall]) -> float:
    """Milliseconds for each call."""
    began = perf_counter()
    for one in calls:
        await provider.generate(one)
    return (perf_counter() - began) * 1000 / len(calls)


async def replay(tape: Tape, calls: list[ModelCall]) -> tuple[float, float]:
    """Milliseconds for each call, and megabytes that the process grew by, the second time."""
    figures = (0.0, 0.0)
    for _ in range(2):
        gc.collect()
        before = resident_mb()
        recorder = Recorder(tape, "none", Scrubber({}))
        clock = FakeClock("2026-01-05T09:00:00Z")
        with inserted(recorder):
            provider = TapedProvider(client_of({"model": MODEL}, clock, recorder), recorder)
            spent = await play(provider, calls)
        figures = (spent, resident_mb() - before)
    return figures


def resident_mb() -> float:
    """The memory that this process has now."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def main(count: int) -> None:
    calls = [call(number) for number in range(count)]
    text = yaml_text(
        tape_data(Tape(recorded="2026-01-05", model=MODEL, calls=[*map(taped, range(count))]))
    )
    began = perf_counter()
    tape = read_tape(Document(Path("tape.yaml"), text))
    loaded = perf_counter() - began
    scripted = asyncio.run(play(ScriptedProvider(speak=[REPLY] * count), calls))
    recorded, grown = asyncio.run(replay(tape, calls))
    click.echo(f"{count} calls, a tape of {len(text) / 1024:.0f} KiB, read in {loaded:.2f} s")
    click.echo(f"  scripted  {scripted:7.3f} ms a call")
    click.echo(f"  recorded  {recorded:7.3f} ms a call, {recorded - scripted:.3f} ms more")
    click.echo(f"  memory    {grown:7.1f} MB more after them")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else CALLS)
