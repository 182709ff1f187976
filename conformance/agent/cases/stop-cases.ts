import { setTimeout as pause } from "node:timers/promises";
import { CancelOutcome, Outcome } from "@baton/contract";
import type { AgentUnderTest, Attempt } from "../agent-under-test.ts";
import type { Case } from "../case.ts";
import { expectThat } from "../failed.ts";
import { limits } from "../limits.ts";
import { echo, slow } from "../tasks.ts";
import { describeEnd, echoes, succeeds } from "./answers.ts";

const { STOPPED, ALREADY_ENDED, UNKNOWN } = CancelOutcome;

/** Attempts that are cancelled, or run out of time (A §3.2 step 6). */
export function stopCases(agent: AgentUnderTest): Case[] {
  return [
    {
      id: "cancel",
      title: "stops a task that is cancelled, and sends no result of it",
      async run() {
        const isCalled = agent.transport !== "attached";
        const attempt = agent.dispatch(slow(isCalled ? limits.longMs : limits.slowMs));
        expectOutcome(await cancelTaken(agent, attempt), STOPPED);
        if (isCalled) {
          const end = await attempt.end();
          expectThat(end.kind === "cancelled", "the call to end without a result", describeEnd(end));
        } else {
          // When this one has ended, the one that was cancelled would have ended too.
          await succeeds(agent.dispatch(slow(limits.slowerMs)));
          const { ended } = attempt;
          expectThat(ended === undefined, "no result", ended ? describeEnd(ended) : "");
        }
      },
    },
    {
      id: "cancel-again",
      title: "answers a second cancel of the same attempt",
      async run() {
        const attempt = agent.dispatch(slow(limits.longMs));
        expectOutcome(await cancelTaken(agent, attempt), STOPPED);
        expectOutcome(await agent.cancel(attempt.envelope), STOPPED, ALREADY_ENDED);
      },
    },
    {
      id: "cancel-ended",
      title: "answers the cancel of an attempt whose result was given with ALREADY_ENDED",
      async run() {
        const attempt = agent.dispatch(echo());
        await succeeds(attempt);
        expectOutcome(await agent.cancel(attempt.envelope), ALREADY_ENDED);
      },
    },
    {
      id: "cancel-unknown",
      title: "answers the cancel of an attempt that it never had with UNKNOWN",
      async run() {
        expectOutcome(await agent.cancel(echo()), UNKNOWN);
      },
    },
    {
      id: "timeout",
      title: "ends a task by itself when its time is over, as one that may be tried again",
      async run() {
        const attempt = agent.dispatch(slow(limits.longMs, { timeoutMs: limits.timeoutMs }));
        const end = await attempt.end();
        const outcome = end.kind === "result" ? end.result.status?.outcome : undefined;
        expectThat(outcome === Outcome.RETRYABLE_FAILURE, "OUTCOME_RETRYABLE_FAILURE", describeEnd(end));
        await echoes(agent);
      },
    },
    {
      id: "deadline",
      title: "refuses a task whose deadline has passed, or answers it as one that ran out of time",
      async run() {
        const end = await agent.dispatch(echo({ deadlineMs: Date.now() - 60_000 })).end();
        const outcome = end.kind === "result" ? end.result.status?.outcome : undefined;
        const isDeclined = end.kind === "refused" || outcome === Outcome.RETRYABLE_FAILURE;
        expectThat(isDeclined, "a refusal, or OUTCOME_RETRYABLE_FAILURE", describeEnd(end));
        await echoes(agent);
      },
    },
  ];
}

/** A call to cancel can overtake the call to run; then the agent does not know the attempt yet. */
async function cancelTaken(agent: AgentUnderTest, attempt: Attempt): Promise<CancelOutcome> {
  let outcome = await agent.cancel(attempt.envelope);
  while (outcome === UNKNOWN && agent.transport !== "attached" && attempt.ended === undefined) {
    await pause(limits.pollMs);
    outcome = await agent.cancel(attempt.envelope);
  }
  return outcome;
}

function expectOutcome(seen: CancelOutcome, ...allowed: readonly CancelOutcome[]): void {
  const name = (outcome: CancelOutcome) => `CANCEL_OUTCOME_${CancelOutcome[outcome] ?? outcome}`;
  expectThat(allowed.includes(seen), allowed.map(name).join(" or "), name(seen));
}
