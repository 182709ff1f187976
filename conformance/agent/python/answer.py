"""Answers: who, to what, how it ended, and why there is no evidence."""

import uuid

from contract import SCHEMA_VERSION, result, task


def answer(envelope: task.TaskEnvelope, status: result.ResultStatus) -> result.AgentResult:
    """An answer under the ids and the trace of its task."""
    made = result.AgentResult(
        status=status,
        evidence=result.Evidence(none_with_reason="an agent of the conformance suite runs no command"),
        task_id=envelope.contract.task_id,
        dispatch_id=envelope.execution.dispatch_id,
        attempt_number=envelope.execution.attempt_number,
    )
    made.protocol_version.schema_version = SCHEMA_VERSION
    made.trace.CopyFrom(envelope.trace)
    made.trace.span_id = uuid.uuid4().hex[:16]
    made.trace.parent_span_id = envelope.trace.span_id
    return made


def success(envelope: task.TaskEnvelope, run: int) -> result.AgentResult:
    made = answer(envelope, result.ResultStatus(outcome=result.OUTCOME_SUCCESS, summary="done"))
    made.response.status = result.RESPONSE_STATUS_SUCCESS
    made.response.data.update({"run": run})
    made.response.data.fields["inputs"].struct_value.CopyFrom(envelope.inputs)
    return made


def failure(envelope: task.TaskEnvelope, code: str, reason: str) -> result.AgentResult:
    """A failure after which another attempt may succeed."""
    outcome = result.OUTCOME_RETRYABLE_FAILURE
    return answer(envelope, result.ResultStatus(outcome=outcome, failure_code=code, failure_reason=reason))


def blocked(envelope: task.TaskEnvelope, reason: str) -> result.AgentResult:
    """Forbidden by policy; a person decides."""
    outcome, code = result.OUTCOME_POLICY_BLOCKED, "TOOL_NOT_ALLOWED"
    return answer(envelope, result.ResultStatus(outcome=outcome, failure_code=code, failure_reason=reason))
