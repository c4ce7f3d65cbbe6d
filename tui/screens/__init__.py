"""What fills the terminal, or lies over it: each asks the model, and decides nothing itself."""
