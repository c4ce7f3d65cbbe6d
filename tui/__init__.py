"""The inspector: a debugger for conversations, in the terminal."""
