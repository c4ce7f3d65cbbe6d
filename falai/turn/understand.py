"""Understand: work out what a message could mean here, and let the model judge it once."""

from collections.abc import Sequence

from falai.errors import EmptyReplyError
from falai.plan import FlowPlan
from falai.text.judgement import Judgement, read_judgement
from falai.text.judging import BranchQuestion, Judging
from falai.text.reply import is_blank
from falai.text.understand import understand_call
from falai.turn.branches import branch_key
from falai.turn.model import ask
from falai.turn.needs import Phase, Steps
from falai.turn.notes import Listening
from falai.turn.start import may_repeat
from falai.turn.state import Turn
from falai.words.field import is_known
from falai.words.flow import Flow, Mention, Message
from falai.words.session import Run
from falai.words.turn import MessageInput


def understand(turn: Turn) -> Steps[None]:
    """Judge the customer's message, in one call or in none."""
    yield turn.begin(Phase.UNDERSTAND)
    if turn.ignored or not isinstance(turn.what, MessageInput):
        return
    turn.listening = _listen(turn)
    if turn.silenced is not None and not turn.silenced.understand:
        return
    judging = _to_judge(turn, turn.listening, turn.what.text)
    if judging is not None:
        turn.judged = yield from _judge(turn, judging)


def _judge(turn: Turn, judging: Judging) -> Steps[Judgement]:
    call, envelope = understand_call(
        turn.agent.profile,
        judging,
        data=turn.data,
        roots=turn.roots(),
        history=turn.history,
        context=turn.given.context,
    )
    reply = yield from ask(turn, call)
    if is_blank(reply):
        raise EmptyReplyError(turn.agent.provider_name)
    return read_judgement(reply, envelope)


def _listen(turn: Turn) -> Listening:
    eligible: list[FlowPlan] = []
    catch_all: FlowPlan | None = None
    for plan in turn.agent.plan.flows:
        if plan.phrased is not None and _may_start(turn, plan, plan.phrased):
            eligible.append(plan)
        if catch_all is None and plan.catch_all and _may_start(turn, plan, plan.catch_all):
            catch_all = plan
    lone = len(eligible) == 1 and turn.agent.idle == "silent" and catch_all is None
    return Listening(
        floor=turn.asker() or turn.floor,
        eligible=eligible,
        catch_all=catch_all,
        unscored=eligible[0] if lone else None,
    )


def _may_start(turn: Turn, plan: FlowPlan, trigger: Message) -> bool:
    return turn.holds(trigger.if_) and may_repeat(turn, plan, trigger, "message", turn.key)


def _to_judge(turn: Turn, listening: Listening, message: str) -> Judging | None:
    """Everything worth asking about the message; None when that is nothing."""
    floor = listening.floor
    plan = turn.plan_of(floor) if floor else None
    step = turn.talk_of(floor) if floor else None
    candidates = _candidates(listening, plan)
    mentions = _mentions(turn)
    branches = _questions(turn, floor)
    fields = _unknown(turn, [plan, *listening.eligible])
    others = bool(mentions or branches or fields or any(c is not plan for c in candidates))
    if floor is None and listening.catch_all is not None:
        fields = _with_catch_all(turn, listening.catch_all, fields, others)
    if not (others or fields):
        return None
    return Judging(
        flow=plan.flow if plan else None,
        step=step,
        pending=[slug for slug in (step.collect or () if step else ()) if slug in fields],
        candidates=[candidate.flow for candidate in candidates],
        mentions=mentions,
        branches=branches,
        fields=fields,
        asks=turn.agent.plan.has_question,
        message=message,
    )


def _candidates(listening: Listening, floor: FlowPlan | None) -> list[FlowPlan]:
    """The flow on the floor, then the eligible ones; a lone unscored one needs no score."""
    if listening.floor is None and listening.unscored is not None:
        return []
    others = [plan for plan in listening.eligible if plan is not floor]
    return [floor, *others] if floor else others


def _mentions(turn: Turn) -> list[tuple[Flow, Mention]]:
    return [
        (plan.flow, plan.mention)
        for plan in turn.agent.plan.flows
        if plan.mention is not None
        and plan.mention.phrases
        and may_repeat(turn, plan, plan.mention, "mention", turn.key)
    ]


def _questions(turn: Turn, floor: Run | None) -> list[BranchQuestion]:
    step = turn.talk_of(floor) if floor else None
    if floor is None or step is None:
        return []
    return [
        BranchQuestion(key=branch_key(floor, step.id, index), when=branch.when)
        for index, branch in enumerate(step.branches or ())
        if branch.when is not None
    ]


def _unknown(turn: Turn, plans: Sequence[FlowPlan | None]) -> list[str]:
    """Fields of these flows that any message may give and that nobody knows yet."""
    slugs = dict.fromkeys(slug for plan in plans if plan for slug in plan.anywhere)
    return [slug for slug in slugs if not is_known(turn.data, slug)]


def _with_catch_all(turn: Turn, plan: FlowPlan, fields: list[str], others: bool) -> list[str]:
    """Read the catch-all's fields too, unless its first step's own call reads them all anyway."""
    own = _unknown(turn, [plan])
    if others or any(slug not in plan.first_reads for slug in own):
        return list(dict.fromkeys([*fields, *own]))
    return fields
