"""The strict type checker takes the examples of the pages as they are written."""

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.test_docs import BLOCKS, ROOT, Block, name_of


def code_of(blocks: list[Block]) -> str:
    """The blocks of a page as one module: each goes on where the one before it ended."""
    return "\n".join(block.text for block in blocks if block.language == "python")


def test_the_strict_checker_takes_the_examples(tmp_path: Path):
    for page, blocks in BLOCKS.items():
        code = code_of(blocks)
        name = re.sub(r"\W", "_", name_of(page).lower())
        (tmp_path / f"page_{name}.py").write_text(code, encoding="utf-8")
    environment = Path(sys.prefix)
    config = {
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
        "venvPath": str(environment.parent),
        "venv": environment.name,
        "extraPaths": [str(ROOT)],
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    checker = [sys.executable, "-m", "basedpyright", "--project", str(tmp_path)]
    run = subprocess.run(checker, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    assert any("def " in code_of(blocks) for blocks in BLOCKS.values())
