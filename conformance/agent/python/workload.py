"""The attempts at this agent: each is run once, some at once, and answered unless it was cancelled."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from answer import blocked, failure, success
from contract import agent_service, registry_service, result, task
from steps import OutcomeUnknown, Store, once

CAPACITY = 2
# Attempts that wait beyond that; one more is answered as a failure that may be tried again.
MOST_WAITING = 16
# Ended attempts that are remembered, so that none is run twice.
MOST_REMEMBERED = 1_000
LONGEST_SECONDS = 24 * 60 * 60.0


@dataclass
class Attempt:
    envelope: task.TaskEnvelope
    stopped: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    # None while it goes on, and when it was cancelled.
    answer: result.AgentResult | None = None


class Workload:
    def __init__(self, deliver: Callable[[result.AgentResult], None], store: Store) -> None:
        self._deliver = deliver
        self._store = store
        self._lock = threading.Lock()
        self._attempts: dict[str, Attempt] = {}
        self._workers = ThreadPoolExecutor(max_workers=CAPACITY)
        self._runs = 0

    def take(self, envelope: task.TaskEnvelope) -> tuple[Attempt, bool]:
        """The attempt, and whether it is new. The same dispatch_id is run once."""
        dispatch_id = envelope.execution.dispatch_id
        with self._lock:
            known = self._attempts.get(dispatch_id)
            if known:
                return known, False
            is_full = len(self._going_on()) >= CAPACITY + MOST_WAITING
            attempt = self._attempts[dispatch_id] = Attempt(envelope)
            self._forget_old()
        if is_full:
            self._end(attempt, failure(envelope, "AGENT_BUSY", "the agent has no room for another task"))
        else:
            self._workers.submit(self._work, attempt, time.monotonic() + seconds_left(envelope))
        return attempt, True

    def cancel(self, dispatch_id: str) -> int:
        with self._lock:
            attempt = self._attempts.get(dispatch_id)
            if not attempt:
                return agent_service.CANCEL_OUTCOME_UNKNOWN
            if attempt.ended.is_set():
                return agent_service.CANCEL_OUTCOME_ALREADY_ENDED
            attempt.stopped.set()
            attempt.ended.set()
            return agent_service.CANCEL_OUTCOME_STOPPED

    def held(self) -> list[registry_service.HeldDispatch]:
        """What is worked on, or waits."""
        with self._lock:
            return [held_dispatch(attempt.envelope.execution) for attempt in self._going_on()]

    def active(self) -> int:
        with self._lock:
            return min(len(self._going_on()), CAPACITY)

    def _going_on(self) -> list[Attempt]:
        return [attempt for attempt in self._attempts.values() if not attempt.ended.is_set()]

    def _forget_old(self) -> None:
        ended = [name for name, attempt in self._attempts.items() if attempt.ended.is_set()]
        for name in ended[:-MOST_REMEMBERED]:
            del self._attempts[name]

    def _work(self, attempt: Attempt, ends_at: float) -> None:
        try:
            made = self._answer(attempt, ends_at)
        except Exception as error:  # Every failure is reported to the hub.
            made = failure(attempt.envelope, "AGENT_ERROR", f"{type(error).__name__}: {error}")
        self._end(attempt, made)

    def _end(self, attempt: Attempt, made: result.AgentResult) -> None:
        with self._lock:
            if attempt.ended.is_set():
                return  # Cancelled: nobody waits for an answer.
            attempt.answer = made
            attempt.ended.set()
            # Under the lock, so that an attempt is always either held or answered.
            self._deliver(made)

    def _answer(self, attempt: Attempt, ends_at: float) -> result.AgentResult:
        """What the types of task of the conformance suite are."""
        envelope = attempt.envelope
        out_of_time = failure(envelope, "DEADLINE_EXCEEDED", "the attempt ran out of time")
        if attempt.stopped.is_set() or time.monotonic() >= ends_at:
            return out_of_time
        with self._lock:
            self._runs += 1
            run = self._runs
        match envelope.routing.task_type:
            case "conformance.fail":
                return failure(envelope, "AS_ASKED", "as it was asked to")
            case "conformance.tool":
                tool = envelope.inputs["tool"]
                if not may_use(tool, envelope.safety):
                    return blocked(envelope, f"the tool {tool} is not allowed")
            case "conformance.step":
                try:
                    value = once(envelope, self._store, "conformance", lambda: {"run": run})
                except OutcomeUnknown as unknown:
                    return blocked(envelope, str(unknown))
                made = success(envelope, run)
                made.response.data.update({"value": value})
                return made
            case "conformance.slow":
                wanted = time.monotonic() + envelope.inputs["ms"] / 1000
                attempt.stopped.wait(max(0.0, min(wanted, ends_at) - time.monotonic()))
                if wanted > ends_at:
                    return out_of_time
        return success(envelope, run)


def held_dispatch(of: task.Execution | result.AgentResult) -> registry_service.HeldDispatch:
    return registry_service.HeldDispatch(dispatch_id=of.dispatch_id, attempt_number=of.attempt_number)


def may_use(tool: str, safety: task.SafetyContext) -> bool:
    is_allowed = not safety.tool_allowlist or tool in safety.tool_allowlist
    return is_allowed and tool not in safety.tool_denylist


def seconds_left(envelope: task.TaskEnvelope) -> float:
    """The timeout counts from now, whatever the clocks of hub and agent say; a deadline alone needs the clock."""
    if envelope.execution.HasField("timeout"):
        return min(LONGEST_SECONDS, envelope.execution.timeout.ToTimedelta().total_seconds())
    if envelope.execution.HasField("deadline"):
        return min(LONGEST_SECONDS, envelope.execution.deadline.ToNanoseconds() / 1e9 - time.time())
    return LONGEST_SECONDS


def flaw_of(envelope: task.TaskEnvelope) -> str | None:
    """What makes it impossible to run or to answer an envelope."""
    if not envelope.contract.task_id:
        return "contract.task_id is empty"
    if not envelope.execution.dispatch_id:
        return "execution.dispatch_id is empty"
    if envelope.execution.attempt_number < 1:
        return "execution.attempt_number is below one"
    if not envelope.trace.trace_id:
        return "trace.trace_id is empty"
    return None
