import { type AgentResult, Outcome } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { AgentUnderTest, Attempt, End } from "../agent-under-test.ts";
import { expectThat, Failed } from "../failed.ts";
import { echo } from "../tasks.ts";

/** What `conformance.echo` and `conformance.slow` answer with. */
export interface Echoed {
  readonly result: AgentResult;
  readonly inputs: unknown;
  /** How many tasks the agent had begun, with this one. */
  readonly run: number;
}

/** Waits for the end of an attempt that has to succeed. */
export async function succeeds(attempt: Attempt): Promise<Echoed> {
  const end = await attempt.end();
  expectThat(
    end.kind === "result" && end.result.status?.outcome === Outcome.SUCCESS,
    "OUTCOME_SUCCESS",
    describeEnd(end),
  );
  return echoedIn(end.result);
}

/** Gives the agent a task that takes no time. After its answer, the agent has read everything sent before. */
export function echoes(agent: AgentUnderTest): Promise<Echoed> {
  return succeeds(agent.dispatch(echo()));
}

function echoedIn(result: AgentResult): Echoed {
  const data: JsonObject = result.response?.data ?? {};
  const { run, inputs } = data;
  if (typeof run !== "number") {
    throw new Failed(
      "response.data with the number of this run in `run`",
      JSON.stringify(data).slice(0, 100),
    );
  }
  return { result, inputs, run };
}

export function describeEnd(end: End): string {
  if (end.kind === "cancelled") return "no result, as if it was cancelled";
  if (end.kind !== "result") return `${end.kind}: ${end.why}`;
  const { outcome = Outcome.UNSPECIFIED, failureCode, failureReason } = end.result.status ?? {};
  return [`OUTCOME_${Outcome[outcome]}`, failureCode, failureReason].filter(Boolean).join(" ");
}
