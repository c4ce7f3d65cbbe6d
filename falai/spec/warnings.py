"""What a flow may do, but hardly means: sentences for the author, no errors."""

from collections.abc import Iterator, Sequence

from falai.spec.jumps import goes_back
from falai.spec.places import Place
from falai.spec.registries import Registries
from falai.spec.walk import branches, targets
from falai.spec.wording import listed, quote
from falai.words.flow import Chain, Flow, Goto, Talk, Wait


def flow_warnings(places: Sequence[Place], registries: Registries) -> list[str]:
    """Warn about a flow that has passed every check, place by place."""
    found: list[str] = []
    for place in places:
        what = place.what
        if isinstance(what, Flow):
            found += _uncollected(places, what, registries)
        if isinstance(what, Talk):
            found += _unexplained(place.where, what, registries)
        if isinstance(what, Wait):
            found += _unjudged(place)
        found += _jumps(place, places[0], registries)
    return found


def _uncollected(places: Sequence[Place], flow: Flow, registries: Registries) -> Iterator[str]:
    steps = [place.what for place in places if isinstance(place.what, Talk)]
    collected = {slug for step in steps for slug in step.collect or ()}
    for slug in flow.collect or ():
        if slug not in collected and not registries.fields[slug].anywhere:
            yield (
                f"{places[0].where}: collect has {quote(slug)}, which is only read from the reply "
                "to the step that asks for it, and no step collects it. Collect it in a step, or "
                'give the field extract "anywhere".'
            )


def _unexplained(where: str, step: Talk, registries: Registries) -> Iterator[str]:
    slugs = step.collect or ()
    asked = any(slug in (step.ask or ()) or registries.fields[slug].ask for slug in slugs)
    if slugs and step.prompt is None and step.question is None and not asked:
        yield (
            f"{where}: collects {listed(slugs)} with no prompt, no question and no ask. "
            "Say how to ask, in the step or in the field."
        )


def _unjudged(place: Place) -> Iterator[str]:
    for path, branch in branches(place.what):
        if branch.when is not None:
            yield (
                f"{place.where}: {path}.when is never judged, because nobody speaks in a wait "
                "step. Use if, or branch in a talk step."
            )


def _jumps(place: Place, head: Place, registries: Registries) -> Iterator[str]:
    for path, target in targets(place.what):
        if isinstance(target, Chain):
            if _leads_nowhere(target.flow, head, registries):
                yield (
                    f"{place.where}: {path} chains to flow {quote(target.flow)}, which this agent "
                    "does not have. Add the flow or fix the id."
                )
            continue
        step, clear = (target.step, target.clear) if isinstance(target, Goto) else (target, None)
        if not clear and goes_back(place, step):
            yield (
                f"{place.where}: {path} jumps back to {quote(step)} and clears nothing, so what "
                f'is known is not asked again. Write {{"step": {quote(step)}, "clear": [field]}}.'
            )


def _leads_nowhere(flow: str, head: Place, registries: Registries) -> bool:
    if registries.flow_ids is None or "{{" in flow:
        return False
    itself = isinstance(head.what, Flow) and head.what.id == flow
    return not itself and flow not in registries.flow_ids
