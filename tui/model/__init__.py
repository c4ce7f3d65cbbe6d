"""What the screens show, without any screen: a timeline, a cursor on it, and what is looked for."""
