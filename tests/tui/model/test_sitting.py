"""A sitting: what is set up to look with, and what lasts when another play is looked at."""

import pytest

from falai.turn.needs import Phase
from tests.tui.model.kit import NOTHING, timeline
from tui.model.breakpoints import Breakpoints
from tui.model.sitting import Sitting
from tui.model.subject import Subject
from tui.model.timeline import Timeline
from tui.model.watches import PathError

TALK = timeline()
SHORT = timeline("- {event: oi}")


def subject(play: Timeline = TALK, name: str = "talk.yaml") -> Subject:
    return Subject(name=name, timeline=play)


def sitting(play: Timeline = TALK) -> Sitting:
    return Sitting(subject(play))


# --- what the panes are shown -------------------------------------------------------------------


def test_a_view_is_what_was_set_up():
    made = sitting()
    made.cursor.go(11)
    made.watch("nome")
    made.toggle_here()
    made.fold("runs")
    made.sort, made.only, made.compare = "code", "x", True
    view = made.view(100)
    assert (view.subject, view.at, view.width) == (made.subject, 11, 100)
    assert (view.watches, view.marked, view.folded) == (("data.nome",), {11}, {"runs"})
    assert (view.sort, view.only, view.compare) == ("code", "x", True)


def test_what_is_switched_twice_is_as_it_was():
    made = sitting()
    before = made.view()
    made.fold("runs")
    made.fold("runs")
    assert made.watch("data.nome")
    assert not made.watch(" nome ")
    assert made.toggle_here()
    assert not made.toggle_here()
    assert made.view() == before


def test_a_breakpoint_here_is_this_very_step_by_its_name():
    made = sitting()
    made.cursor.go(TALK.at(1))
    made.toggle_here()
    assert [point.text for point in made.breakpoints] == ["at:2.return"]
    assert made.view().marked == {made.cursor.at}


def test_no_path_is_not_watched():
    made = sitting()
    with pytest.raises(PathError):
        made.watch("[0]")
    assert made.watches == []


def test_breakpoints_that_are_given_stop_its_runs():
    points = Breakpoints()
    points.add("field:nome")
    made = Sitting(subject(), breakpoints=points)
    assert made.cursor.run(1)
    assert made.place == "2.decide"


# --- where it came from -------------------------------------------------------------------------


def test_the_banner_tells_what_is_looked_at():
    made = sitting()
    made.cursor.go(TALK.at(1, Phase.DECIDE))
    fork = Sitting(subject(SHORT), mode="FORK", parent=made)
    made.cursor.first()
    assert made.banner() == "REPLAY"
    assert Sitting(subject(), mode="LIVE").banner() == "LIVE"
    assert fork.banner() == "FORK of talk.yaml@2.decide"


def test_a_long_name_leaves_the_banner_its_place():
    made = Sitting(subject(name="a-very-long-name-of-a-file.yaml"))
    fork = Sitting(subject(SHORT), mode="FORK", parent=made)
    assert len(fork.banner(30)) == 30
    assert fork.banner(30).endswith("…@1.load")


def test_a_fork_has_the_watches_of_its_parent_for_its_own():
    made = sitting()
    made.watch("nome")
    fork = Sitting(subject(SHORT), mode="FORK", parent=made)
    fork.watch("visto")
    assert (made.watches, fork.watches) == (["data.nome"], ["data.nome", "data.visto"])


# --- another play -------------------------------------------------------------------------------


def test_another_play_is_looked_at_from_the_same_place():
    made = sitting()
    made.cursor.go(11)
    made.replace(subject(timeline()))
    assert made.cursor.at == 11
    made.replace(subject(SHORT))
    assert made.cursor.at == 7
    made.replace(subject(NOTHING))
    assert made.cursor.at == 0


def test_another_play_can_be_looked_at_from_its_end():
    made = sitting(SHORT)
    made.replace(subject(TALK), end=True)
    assert made.place == "4.return"


def test_breakpoints_and_the_search_go_on_in_another_play():
    made = sitting()
    made.breakpoints.add("flow:aviso")
    made.search("pronto")
    made.replace(subject(SHORT))
    made.cursor.first()
    assert [hit.at for hit in made.hits] == [SHORT.at(0, Phase.RUN)]
    assert made.cursor.run(1)
    assert made.place == "1.ingest"


# --- looking for text ---------------------------------------------------------------------------


def test_a_search_tells_how_many_there_are_and_goes_from_one_to_the_next():
    made = sitting()
    assert made.search("pronto") == len(made.hits) == 1
    hit = made.go_to_hit(1)
    assert hit == made.hits[0]
    assert made.place == "3.run"
    assert made.go_to_hit(1) is None
    assert made.place == "3.run"
    made.cursor.last()
    assert made.go_to_hit(-1) == hit
    assert made.place == "3.run"


def test_after_the_search_nothing_is_looked_for():
    made = sitting()
    made.search("pronto")
    made.stop_search()
    assert (made.query, made.hits, made.go_to_hit(1)) == ("", [], None)
    made.replace(subject(SHORT))
    assert made.hits == []


def test_in_a_play_without_turns_everything_can_be_asked():
    made = sitting(NOTHING)
    assert (made.place, made.search("a"), made.go_to_hit(1)) == ("1.load", 0, None)
    assert made.toggle_here()
    assert made.view().marked == frozenset()
