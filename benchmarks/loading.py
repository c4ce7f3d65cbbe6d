"""How many entries of a scenario are read in a second, as YAML and as JSON."""

import json
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.figures import Table, typical
from simulator.load import load_document
from simulator.reading import read_scenario
from simulator.yamlout import yaml_text

SIZES = (10, 100, 1_000, 5_000, 20_000)


def loading(rounds: int, sizes: tuple[int, ...] = SIZES) -> Table:
    """Entries a second, read to the last check, for files of each size."""
    rows: list[tuple[str, int, float, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("yaml", "json"):
            for size in sizes:
                file = Path(folder, f"story-{size}.{suffix}")
                file.write_text(text_of(size, suffix), encoding="utf-8")
                seconds = typical(lambda file=file: read_scenario(load_document(file)), rounds)
                rows.append((suffix.upper(), size, seconds * 1_000, round(size / seconds)))
    return Table("loading", ("file", "entries", "ms", "entries a second"), rows)


def text_of(entries: int, suffix: str) -> str:
    """A scenario of ordinary entries, as an author would lay it out."""
    head = {"scenario": "A long story", "agent": {"name": "Ana"}}
    turns = [_entry(number) for number in range(entries)]
    if suffix == "json":
        return json.dumps({**head, "turns": turns}, ensure_ascii=False)
    items = ["  - " + yaml_text(turn).replace("\n", "\n    ").rstrip() for turn in turns]
    return yaml_text(head) + "turns:\n" + "\n".join(items) + "\n"


def _entry(number: int) -> dict[str, Any]:
    return {
        "message": f"quero um orçamento, número {number}",
        "model": {
            "understand": {"flows": {"triagem": 90}, "fields": {"nome": "Ana"}},
            "speak": {"message": f"Oi, Ana! É o pedido {number}.", "nome": None},
        },
        "expect": {"llmCalls": 2, "floor": "triagem", "data": {"nome": "Ana"}},
    }
