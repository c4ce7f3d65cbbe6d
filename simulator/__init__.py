"""Plays scenarios against an agent, with the one reference host."""
