"""The words around the figures: docs/performance.md, written by every run."""

from collections.abc import Mapping

from benchmarks.figures import Table, markdown

_TEXT = """\
# How fast it is

Made by `make bench`; do not edit it by hand. Measured on: {machine}. All times are CPU time of one process, medians of rounds
in which the contestants take turns: read the ratios, not the microseconds, which are those of one small machine.

## Side by side

The same conversation with each: a sales triage of five messages. In every turn a model reads the message (what does it
give?) and a model speaks (what is asked next?). The model is a stand-in that answers at once, so that what is left is what the
library itself takes. State is saved after every turn.

{peers}

{plot}What each of them does in a turn:

- **falai** loads the session from the store's JSON and checks it, builds the prompts and the schemas of both calls,
  checks what the model gave field by field, decides, keeps a log of outcomes with keys, and encodes and saves the session. Its
  host puts the messages into an outbox.
- **LangGraph** runs a graph of three nodes over messages and data, with its in-memory saver: as it comes, and with
  `durability="exit"`, which saves once a turn. The model is a plain function here, which is quicker than a chat model object; no
  prompt is built.
- **pydantic-ai** runs two agents on its `FunctionModel`, one with a structured output. The messages are kept as JSON between the
  turns, as its docs show.
- **Burr** runs three actions over a state and saves after each of them. It makes no call, builds no prompt and checks no
  value: it does far less. "Kept alive" means that the application object stays in memory between the turns; "loaded" means
  that each turn begins from what was saved, as with falai.

One conversation of 500 turns, its history kept or handed on in full:

{peers_long}

## Where the time goes

{phases}

## How it grows

What one turn takes, with so many of one thing and little of everything else. Past turns, claims and history cost nothing: the turn
looks at none of them. (Decoding and encoding a session with ten thousand claims does cost, as the fourth column shows; a session
keeps 50 claims for each flow and anchor that may always start again.)

{curves}

## Loading scenarios

{loading}

## Starting

{starting}

## Many sessions in one process

{sessions}

Each of them is the JSON of a session after its last turn; the engine itself holds nothing between turns.

## A suite of a million turns

Scenario files of 1,000 turns over 100 sessions each, by `falai run -n 2`, wall time; the last column is the largest of its
processes. A scenario that passed is counted and let go, so that a longer suite takes no more memory.

{million}
"""

_PLOT = """\
![Bars: microseconds a turn of each library. Lines: microseconds a turn as flows, runs, fields, claims and history grow](performance.svg)

"""


def page(tables: Mapping[str, Table], machine: str, *, has_plot: bool) -> str:
    """The page with the figures of a run."""
    shown = {name.replace("-", "_"): markdown(table) for name, table in tables.items()}
    return _TEXT.format(machine=machine, plot=_PLOT if has_plot else "", **shown)
