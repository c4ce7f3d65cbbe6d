"""`python -m simulator` is the `falai` command."""

from simulator.cli import main

if __name__ == "__main__":
    main()
