"""How long the properties are tried: always the same examples, or a hunt for new ones.

`FALAI_PROPERTY=hunt pytest tests/property` looks for what no run has seen yet.
"""

import os

from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

_PROFILES = {
    "ci": settings(max_examples=100, deadline=None, derandomize=True, database=None),
    "hunt": settings(max_examples=5_000, deadline=None, suppress_health_check=SLOW),
}

checked = _PROFILES[os.environ.get("FALAI_PROPERTY", "ci")]
"""Decorates every property of a whole session."""
