"""The model under the screens loads none of what draws them."""

import subprocess
import sys

from tests.tui.model.kit import ROOT


def test_the_model_and_the_panes_load_no_screen_and_no_command():
    modules = [f"tui.{it.parent.name}.{it.stem}" for it in ROOT.glob("tui/[mp]*/[!_]*.py")]
    assert {"tui.model.cursor", "tui.panes.state"} <= set(modules)
    code = f"import sys, {', '.join(sorted(modules))}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    assert not {"textual", "rich", "click"} & set(loaded)
