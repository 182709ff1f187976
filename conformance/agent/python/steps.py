"""Durable steps: on record before they run, stored before their value is used, and not run again."""

import hashlib
import json
from collections.abc import Callable

from google.protobuf import json_format

from contract import step, task

# Returns when the hub has stored the step.
Store = Callable[[str, step.Step], None]


class OutcomeUnknown(Exception):
    """A step of an earlier attempt began, and it is unknown whether it ended."""


def once(envelope: task.TaskEnvelope, store: Store, name: str, run: Callable[[], object]) -> object:
    """The value of an earlier attempt, or that of the function. Its arguments are the inputs of the envelope."""
    arguments = json_format.MessageToDict(envelope.inputs)
    digest = "sha256:" + hashlib.sha256(canonical(arguments).encode()).hexdigest()
    for known in envelope.steps.steps:
        if (known.name, known.arguments_digest, known.occurrence) != (name, digest, 1):
            continue
        if known.state == step.STEP_STATE_COMPLETED:
            return json.loads(known.value_json)
        if known.state == step.STEP_STATE_STARTED:
            raise OutcomeUnknown(f"it is unknown whether the step {name} took effect")
    dispatch_id = envelope.execution.dispatch_id
    begun = step.Step(name=name, arguments_digest=digest, occurrence=1, state=step.STEP_STATE_STARTED)
    store(dispatch_id, begun)
    value = run()
    ended = step.Step()
    ended.CopyFrom(begun)
    ended.state = step.STEP_STATE_COMPLETED
    ended.value_json = json.dumps(value)
    store(dispatch_id, ended)
    return value


def canonical(value: object) -> str:
    """RFC 8785, for numbers that Python and ECMAScript write alike."""
    return json.dumps(whole(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def whole(value: object) -> object:
    """A structure has numbers with a fraction only: 1.0 is 1 in canonical JSON."""
    match value:
        case dict():
            return {name: whole(member) for name, member in value.items()}
        case list():
            return [whole(member) for member in value]
        case float() if value.is_integer():
            return int(value)
    return value
