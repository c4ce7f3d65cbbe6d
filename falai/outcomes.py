"""The outcome codes, each with the sentence that people read beside it."""

from collections.abc import Mapping
from types import MappingProxyType

OUTCOME_MESSAGES: Mapping[str, str] = MappingProxyType(
    {
        # the input was refused
        "no-session": "There is no stored session for this wake.",
        "duplicate-input": "A message with this id was already handled.",
        "stale-wake": "No run waits for this wake any more.",
        "silence-broken": "Somebody spoke after the moment this wake counts from.",
        # a start was refused
        "already-claimed": "The flow has already run for this key and may not run again.",
        "cooldown": "The flow ran too recently to run again.",
        "hop-limit": "Too many flows have chained one after another.",
        "already-running": "A run of this flow is still live for this anchor.",
        "flow-gone": "The agent has no such flow.",
        # a run ended early
        "step-loop": "The run went through too many steps in one turn.",
        "step-gone": "The flow no longer has this step.",
        "customer-replied": "The customer wrote, so the follow-up is no longer needed.",
        "premise-changed": "What the run was started for no longer holds.",
        "silenced": "The assistant may not speak right now.",
        # steps
        "already-known": "Everything this step collects is already known.",
        "asked-fixed": "The fixed question was sent word for word.",
        "another-reply": "Another run already answered this message.",
        "already-sent": "This text goes out only once and was already sent.",
        "branch": "A branch of the step held.",
        "max-asks": "The field was asked as often as allowed and is still unknown.",
        "inline-delay": "The short wait rides on the next message.",
        "awaiting-trigger": "The run waits for its start time.",
        "awaiting-event": "The run waits for an event.",
        "event-arrived": "The event that the run waited for came.",
        "no-event": "The event did not come in time.",
        "replied": "The customer wrote before the wait was over.",
        "no-reply": "The wait is over.",
        # actions
        "action-skipped": "The action chose to do nothing.",
        "action-failed": "The action failed.",
        "action-deferred": "The action asked to run again later.",
        # values
        "unknown-field": "The agent has no field of this name.",
        "bad-value": "The value does not fit the field's type.",
        "not-in-enum": "The value is not one of the field's options.",
        # the provider
        "provider-unavailable": "The model could not be reached or gave no answer.",
        "provider-quota": "The model account's quota is spent.",
        "provider-auth": "The model refused the credentials or the plan.",
        "provider-context": "The conversation no longer fits the model's context.",
        "provider-invalid": "The model refused the request itself.",
    }
)
