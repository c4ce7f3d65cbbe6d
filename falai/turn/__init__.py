"""The verbs of a turn: one module per phase, and what the phases share."""
