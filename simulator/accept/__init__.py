"""Accepting what came: plays scenarios, and rewrites their expectations where they differ."""
