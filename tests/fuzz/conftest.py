"""The command over files of a test's own."""

from tests.cli.conftest import falai as falai
from tests.simulator.conftest import write as write
