"""The same conversation through falai and through the Python peers, each as its own docs would have it."""
