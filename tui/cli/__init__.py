"""The commands of the inspector: its screens, and the same as plain text."""
