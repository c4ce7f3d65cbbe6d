"""What the model reads and writes."""
