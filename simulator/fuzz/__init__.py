"""Looks for the conversation that breaks a promise, and hands it back as a small scenario."""
