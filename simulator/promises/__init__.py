"""What holds in every conversation, whatever is said: promises that a play can be held to."""
