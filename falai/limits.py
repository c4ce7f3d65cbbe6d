"""The numbers that bound a session and a turn, each named once."""

INPUTS_KEPT = 50
"""Message ids that a session remembers."""
ALWAYS_CLAIMS_KEPT = 50
"""Claims kept for each flow and anchor under `repeat: always`."""
OUTCOMES_KEPT = 50
"""Lines that a run remembers."""
STEPS_PER_MOVE = 50
"""Steps that a run may execute before it counts as looping."""
HOPS = 5
"""Runs that one chain may hold."""
INLINE_WAIT_MS = 10_000
"""The longest wait that rides on the next message."""
ROUTE_SCORE = 40
"""The least score that routes a message to a flow."""
ROUTE_LEAD = 15
"""How far ahead of the asker's flow another one must be."""
MAX_ASKS = 3
DATA_DEPTH = 100
"""Levels of nesting in a value that a session keeps; a turn copies them by recursion."""
LAST_MS = 253_402_300_799_999
"""The last instant that a calendar has: the end of the year 9999."""
TOOL_ROUNDS = 5
EVENT_WAIT = "30d"
"""How long an event wait lasts without `upTo`."""
RETRY_LADDER_MS = (60_000, 300_000, 900_000, 3_600_000, 21_600_000)
"""Waits before each retry of a failed speak call: 1m 5m 15m 1h 6h."""
