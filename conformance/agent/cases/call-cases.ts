import { setTimeout as pause } from "node:timers/promises";
import type { CalledAgent } from "../called/called-agent.ts";
import type { Case } from "../case.ts";
import { expectEqual, expectThat, Skipped } from "../failed.ts";
import { limits } from "../limits.ts";
import { echo, slow } from "../tasks.ts";
import { describeEnd, echoes, succeeds } from "./answers.ts";

/** What is asked only of agents that are called. */
export function callCases(agent: CalledAgent): Case[] {
  return [
    {
      id: "call-again",
      title: "sends a second caller of a running dispatch the same as the first",
      async run() {
        const envelope = slow();
        const first = agent.dispatch(envelope);
        const second = agent.dispatch(envelope);
        const { run } = await succeeds(first);
        expectEqual("the run that the second caller receives:", (await succeeds(second)).run, run);
      },
    },
    {
      id: "caller-gone",
      title: "goes on with an attempt whose caller is gone, and answers who calls again",
      async run() {
        const before = await echoes(agent);
        const envelope = slow();
        const lost = agent.dispatch(envelope);
        await pause(limits.slowMs / 2);
        lost.hangUp();
        const { run } = await succeeds(agent.dispatch(envelope));
        expectEqual("tasks begun before the answer:", run - before.run, 1);
        expectEqual("tasks begun by both callers:", (await echoes(agent)).run - before.run, 2);
      },
    },
    {
      id: "broken-envelope",
      title: "refuses an envelope that names no attempt, and goes on",
      async run() {
        const envelope = echo();
        const before = await echoes(agent);
        delete envelope.execution;
        const end = await agent.dispatch(envelope).end();
        const codes = agent.transport === "grpc" ? "INVALID_ARGUMENT" : "status 400";
        expectThat(end.kind === "refused", `a refusal with ${codes}`, describeEnd(end));
        expectEqual("tasks begun since:", (await echoes(agent)).run - before.run, 1);
      },
    },
    {
      id: "token",
      title: "refuses a call that does not show its token",
      async run() {
        if (agent.token === undefined) throw new Skipped("the suite was given no token of the agent");
        const call = agent.dispatchUnproven(echo());
        const end = await call.end();
        const code = agent.transport === "grpc" ? "UNAUTHENTICATED" : "status 401";
        expectThat(call.isUnauthenticated, `a refusal with ${code}`, describeEnd(end));
      },
    },
  ];
}
