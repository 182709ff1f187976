import { isDeepStrictEqual } from "node:util";
import { Outcome, schemaVersion } from "@baton/contract";
import type { AgentUnderTest } from "../agent-under-test.ts";
import type { Case } from "../case.ts";
import { expectEqual, expectThat, Skipped } from "../failed.ts";
import { limits } from "../limits.ts";
import { echo, fail, idsOf, slow } from "../tasks.ts";
import { describeEnd, echoes, succeeds } from "./answers.ts";

/** Tasks and their answers (A §3.2 steps 5 to 7). */
export function workCases(agent: AgentUnderTest): Case[] {
  return [
    {
      id: "answer",
      title: "answers a task under its ids and its trace",
      async run() {
        const inputs = { text: "Grüße", list: [1, 2.5, null, true], nested: { empty: {} } };
        const envelope = echo({ inputs, attemptNumber: 3 });
        const { result, ...echoed } = await succeeds(agent.dispatch(envelope));
        const { dispatchId, attemptNumber } = idsOf(envelope);
        expectEqual("dispatch_id", result.dispatchId, dispatchId);
        expectEqual("attempt_number", result.attemptNumber, attemptNumber);
        expectEqual("task_id", result.taskId, envelope.contract?.taskId);
        expectEqual("trace.trace_id", result.trace?.traceId, envelope.trace?.traceId);
        expectEqual("trace.tenant_id", result.trace?.tenantId, envelope.trace?.tenantId);
        const major = (version = "") => version.split(".")[0];
        const spoken = result.protocolVersion?.schemaVersion;
        expectEqual("the major schema version", major(spoken), major(schemaVersion));
        const isSame = isDeepStrictEqual(echoed.inputs, inputs);
        expectThat(isSame, `the inputs ${JSON.stringify(inputs)}`, JSON.stringify(echoed.inputs) ?? "none");
      },
    },
    {
      id: "answer-once",
      title: "answers a task once, and says nothing of it afterwards",
      async run() {
        const attempt = agent.dispatch(echo());
        await succeeds(attempt);
        await succeeds(agent.dispatch(slow()));
        expectEqual("results:", attempt.results.length, 1);
      },
    },
    {
      id: "failure",
      title: "answers a failure as one that may be tried again, with a reason",
      async run() {
        const end = await agent.dispatch(fail()).end();
        const status = end.kind === "result" ? end.result.status : undefined;
        const expected = "OUTCOME_RETRYABLE_FAILURE with a failure_reason";
        expectThat(status?.outcome === Outcome.RETRYABLE_FAILURE, expected, describeEnd(end));
        expectThat(status.failureReason !== "", expected, "an empty failure_reason");
      },
    },
    {
      id: "run-once",
      title: "runs a dispatch once, also when it comes again while it runs and after its end",
      async run() {
        const envelope = slow();
        const attempt = agent.dispatch(envelope);
        agent.dispatch(envelope);
        const { run } = await succeeds(attempt);
        agent.dispatch(envelope);
        await succeeds(agent.dispatch(slow()));
        const last = await echoes(agent);
        expectEqual("tasks begun after this one:", last.run - run, 2);
        expectEqual("results:", attempt.results.length, 1);
      },
    },
    {
      id: "at-once",
      title: "works on two tasks at once, when its capacity says so",
      async run() {
        if (agent.profile.capacity < 2) throw new Skipped("its capacity is one task at once");
        const first = agent.dispatch(slow(limits.longMs));
        await echoes(agent);
        expectThat(first.ended === undefined, "the second task to end before the first", "the first ended");
      },
    },
  ];
}
