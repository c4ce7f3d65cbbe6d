"""A clinic's assistant in Python: it looks up free times, and books them."""
