"""What the session holds at a step: fields and who set them, runs, claims and inputs."""

from collections.abc import Iterator, Sequence

from falai.predicate import same_json
from falai.words.session import Run
from tui.model.shown import NONE, column, cut, shown, value, when
from tui.model.text import Line, Span, line
from tui.model.view import View
from tui.model.watches import source_of, value_at, value_before
from tui.panes.fitting import fitted

_INPUTS = 5
"""Message ids that are shown, the newest."""


def state(view: View) -> Sequence[Line]:
    """Watches first, then what changed at this step, then all the rest."""
    if not view.timeline.turns:
        return [line("No turn was played.", style="dim")]
    parts = (_watches, _fields, _runs, _claims, _inputs)
    return fitted((made for part in parts for made in part(view)), view.width)


def _watches(view: View) -> Iterator[Line]:
    if not view.watches:
        return
    yield line("watches", style="head")
    for path in view.watches:
        yield _change(view, path, shown(path), source=False)


# --- fields -------------------------------------------------------------------------------------


def _fields(view: View) -> Iterator[Line]:
    yield line("fields", style="head")
    before, after = view.timeline.before(view.at).data, view.timeline.state(view.at).data
    slugs = list(dict.fromkeys([*before, *after]))
    changed = [slug for slug in slugs if not same_json(before.get(slug), after.get(slug))]
    for slug in changed:
        yield _change(view, f"data.{slug}", slug, source=True)
    for slug in slugs:
        if slug not in changed:
            yield _still(view, f"data.{slug}", slug)
    for slug in view.subject.fields:
        if slug not in slugs:
            yield line(f"  {slug}  {NONE}", style="dim", key=f"data.{slug}", path=f"data.{slug}")
    if not slugs and not view.subject.fields:
        yield line("  none yet", style="dim")


def _change(view: View, path: str, name: str, *, source: bool) -> Line:
    old, new = value_before(view.timeline, path, view.at), value_at(view.timeline, path, view.at)
    if same_json(old, new):
        return _still(view, path, name)
    who = f"  by {source_of(view.timeline, path, view.at)}" if source else ""
    room = view.width - len(name) - len(who) - 7
    half = max(4, room // 2)
    return line(
        Span(f"* {name}  ", "mark"),
        Span(cut(value(old), half), "removed"),
        " → ",
        Span(cut(value(new), half), "added"),
        Span(who, "dim"),
        key=path,
        path=path,
        opens=f"{path}\n\nbefore\n{value(old)}\n\nafter\n{value(new)}",
    )


def _still(view: View, path: str, name: str) -> Line:
    held = value(value_at(view.timeline, path, view.at))
    room = max(4, view.width - len(name) - 4)
    return line(f"  {name}  {cut(held, room)}", key=path, path=path, opens=f"{path}\n\n{held}")


# --- runs ---------------------------------------------------------------------------------------


def _runs(view: View) -> Iterator[Line]:
    runs = view.timeline.state(view.at).runs
    before = {run.id: run for run in view.timeline.before(view.at).runs}
    yield line("")
    yield line("runs", style="head")
    for run in runs:
        yield from _run(view, run, before.get(run.id))
    gone = [run for run in before.values() if run.id not in {it.id for it in runs}]
    for run in gone:
        yield line(Span(f"* {run.id} is over", "mark"), key=f"run-{run.id}")
    if not runs and not gone:
        yield line("  none", style="dim")


def _run(view: View, run: Run, before: Run | None) -> Iterator[Line]:
    changed = before is None or (before.status, before.step_id) != (run.status, run.step_id)
    floor = "  ▸ has the floor" if run.status == "asking" else ""
    head = f"{run.id}  {run.status} at {run.step_id or 'its start'}{floor}"
    mark = "* " if changed else "  "
    path = f"runs.{run.id}.status"
    yield line(
        Span(cut(mark + head, view.width), "mark" if changed else "plain"),
        key=f"run-{run.id}",
        path=path if "." not in run.id else None,
        opens=_whole(run),
    )
    for detail in _details(run):
        yield line(Span(cut(f"    {detail}", view.width), "dim"), key=f"run-{run.id}-{detail[:5]}")


def _details(run: Run) -> Iterator[str]:
    if run.waiting is not None:
        what = f"event {run.waiting.event}" if run.waiting.event else run.waiting.kind
        yield f"waits for {what} until {when(run.waiting.until)}"
    if run.suspended_at is not None:
        yield f"suspended since {when(run.suspended_at)}"
    if run.staying:
        yield "stays to answer"
    if run.asked:
        yield f"asked {value(run.asked)}"
    if run.visits:
        yield f"visits {value(run.visits)}"


def _whole(run: Run) -> str:
    parts = {
        "id": run.id,
        "flow": run.flow_id,
        "anchor": run.anchor,
        "dedupe key": run.dedupe_key,
        "step": run.step_id or NONE,
        "status": run.status,
        "started": f"{run.started_at} by {run.trigger.kind} {run.trigger.key}",
        "hop": run.hop,
        "asked": value(run.asked),
        "visits": value(run.visits),
    }
    return "\n".join(f"{name}: {part}" for name, part in parts.items())


# --- the rest -----------------------------------------------------------------------------------


def _claims(view: View) -> Iterator[Line]:
    claims = view.timeline.state(view.at).claims
    before = view.timeline.before(view.at).claims
    yield line("")
    yield line(f"claims  {len(claims)}", style="head")
    for key, claim in claims.items():
        new = key not in before
        text = f"{'* ' if new else '  '}{column(when(claim.at), 17)}  {key}"
        yield line(Span(cut(text, view.width), "mark" if new else "plain"), key=f"claim-{key}")


def _inputs(view: View) -> Iterator[Line]:
    inputs = view.timeline.state(view.at).inputs
    yield line("")
    yield line(f"inputs  {len(inputs)}", style="head")
    if inputs:
        yield line(cut(f"  {' '.join(inputs[-_INPUTS:])}", view.width))
