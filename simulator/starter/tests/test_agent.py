"""Whatever the scenarios do not say: tests in Python, on the same agent."""

from simulator.pytest_plugin import Simulator


def test_a_booking_takes_three_turns(falai_simulator: Simulator) -> None:
    [record] = falai_simulator.play("scenarios/01-a-repair.yaml")
    assert len(record.turns) == 3
