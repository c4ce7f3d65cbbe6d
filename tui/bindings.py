"""The table of actions as Textual takes it."""

from textual.binding import Binding, BindingType

from tui.actions import ACTIONS


def bindings() -> list[BindingType]:
    """A binding for each action, with the id by which a keymap changes it."""
    return [
        Binding(act.keys, act.method, act.label, show=act.shown, id=act.id, tooltip=act.does)
        for act in ACTIONS
    ]
