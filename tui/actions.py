"""Everything that a key can do: one table for bindings, help, palette, keymaps and the docs."""

from typing import NamedTuple


class Act(NamedTuple):
    """One thing to do."""

    id: str
    """What a keymap file names it by; the screen's method is `action_` and this, dots as `_`."""
    keys: str
    """Its keys by Textual's names, with commas between."""
    label: str
    """What the footer calls it."""
    does: str
    """One sentence for help and palette, without its dot."""
    group: str
    shown: bool = False
    """Whether the footer has room for it."""

    @property
    def method(self) -> str:
        return self.id.replace(".", "_")

    @property
    def keys_for_people(self) -> str:
        """The keys as they are written on a keyboard."""
        return " ".join(_NAMES.get(key, key) for key in self.keys.split(","))


_NAMES = {
    "colon": ":",
    "slash": "/",
    "question_mark": "?",
    "equals_sign": "=",
    "full_stop": ".",
    "right": "→",
    "left": "←",
    "escape": "esc",
    "apostrophe": "'",
}

ACTIONS: tuple[Act, ...] = (
    Act("step.forward", "s", "Step", "One phase on", "Moving", shown=True),
    Act("step.back", "S", "Step back", "One phase back", "Moving"),
    Act(
        "turn.forward",
        "n",
        "Turn",
        "One turn on, or the next hit of a search",
        "Moving",
        shown=True,
    ),
    Act("turn.back", "N", "Turn back", "One turn back, or the hit before", "Moving"),
    Act(
        "run.forward",
        "c",
        "Run",
        "On to the next breakpoint, else to the end",
        "Moving",
        shown=True,
    ),
    Act("run.back", "C", "Run back", "Back to the breakpoint before, else to the start", "Moving"),
    Act("failure.forward", "e", "Failure", "The next failure", "Moving"),
    Act("failure.back", "E", "Failure back", "The failure before", "Moving"),
    Act("go.first", "g", "First", "The first step", "Moving"),
    Act("go.last", "G", "Last", "The last step", "Moving"),
    Act("go.place", "colon", "Go to", "Go to a turn, 6.decide, a step #53 or a time", "Moving"),
    Act("go.back", "apostrophe", "Jump back", "Back to where the last jump began", "Moving"),
    Act("play", "space", "Play", "Step by itself; any key stops it", "Moving"),
    Act(
        "break.here", "b", "Break", "Set a breakpoint here, or take it away", "Looking", shown=True
    ),
    Act("break.list", "B", "Breakpoints", "List breakpoints: add, switch off, remove", "Looking"),
    Act("watch.add", "w", "Watch", "Watch the chosen value, or a path", "Looking"),
    Act("watch.list", "W", "Watches", "List watches: add, remove, break on change", "Looking"),
    Act("who.back", "u", "Who set it", "Where the chosen value was last set", "Looking"),
    Act("who.forward", "U", "Set next", "Where the chosen value is set next", "Looking"),
    Act(
        "search", "slash", "Search", "Search everything that was said, asked and decided", "Looking"
    ),
    Act(
        "compare",
        "equals_sign",
        "Compare",
        "In Prompt: what is new since the call before",
        "Looking",
    ),
    Act("sort", "o", "Sort", "In Outcomes: sort by the next column", "Looking"),
    Act("only", "O", "Filter", "In Outcomes: show only lines that hold a text", "Looking"),
    Act("tab.state", "1", "State", "Fields, runs, claims and inputs", "Panes"),
    Act("tab.outcomes", "2", "Outcomes", "What each step did and why", "Panes"),
    Act("tab.prompt", "3", "Prompt", "What the model was told", "Panes"),
    Act("tab.calls", "4", "Calls", "Model calls, their tokens and answers", "Panes"),
    Act("tab.wakes", "5", "Wakes", "What is due when, and what became of others", "Panes"),
    Act("tab.checks", "6", "Checks", "What was expected and what came", "Panes"),
    Act("tab.flow", "F", "Flow", "The flow as a tree, with where its run stands", "Panes"),
    Act("swap", "v", "Swap", "On a narrow screen: conversation or tabs", "Panes"),
    Act("zoom", "z", "Zoom", "The focused pane alone, or all of them", "Panes"),
    Act("fork", "f", "Fork", "Leave the play here, with something changed", "Playing", shown=True),
    Act("rerun", "r", "Re-run", "Play the scenario again from the top", "Playing"),
    Act("diff", "d", "Diff", "Compare with the parent, the last run or a marked one", "Playing"),
    Act("live", "i", "Say", "LIVE: a message, time, an event, a start", "Playing"),
    Act("save", "D", "Save", "Save what happened as a scenario", "Playing"),
    Act("accept", "x", "Accept", "Write what came in this turn into its expect", "Playing"),
    Act("copy", "y", "Copy", "Copy the chosen thing", "Playing"),
    Act("write", "Y", "Write", "Write the focused pane to a file", "Playing"),
    Act("runs", "R", "Runs", "All scenarios that were opened", "Playing"),
    Act("help", "question_mark", "Help", "What the keys do", "Other", shown=True),
    Act("leave", "escape", "Back", "Leave a search, a zoomed pane, a fork", "Other"),
    Act("quit", "q", "Quit", "Leave the inspector", "Other", shown=True),
)


def help_lines() -> list[str]:
    """Every key by what it is for."""
    lines: list[str] = []
    for group in dict.fromkeys(act.group for act in ACTIONS):
        lines += ["", group] if lines else [group]
        acts = [act for act in ACTIONS if act.group == group]
        lines += [f"  {act.keys_for_people:<7} {act.does}" for act in acts]
    return lines
