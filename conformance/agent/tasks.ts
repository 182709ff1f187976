import { type EnvelopeInput, envelope } from "@baton/agent/testing";
import type { Execution, TaskEnvelope } from "@baton/contract";
import { limits } from "./limits.ts";

/** The types of task that the agent under test has to know. docs/how-to/check-an-agent.md says what they do. */
export const taskTypes = ["conformance.echo", "conformance.slow", "conformance.fail"] as const;

/** One that it may know: it claims then to keep to the safety context. */
export const toolTaskType = "conformance.tool";

export function echo(input: EnvelopeInput = {}): TaskEnvelope {
  return envelope({ taskType: "conformance.echo", title: "Give the inputs back", inputs: {}, ...input });
}

export function slow(ms: number = limits.slowMs, input: EnvelopeInput = {}): TaskEnvelope {
  return envelope({ taskType: "conformance.slow", title: `Take ${ms} ms`, inputs: { ms }, ...input });
}

export function fail(): TaskEnvelope {
  return envelope({ taskType: "conformance.fail", title: "Fail" });
}

export function useTool(tool: string, safety: NonNullable<EnvelopeInput["safety"]>): TaskEnvelope {
  return envelope({ taskType: toolTaskType, title: `Use ${tool}`, inputs: { tool }, safety });
}

/** One that it may know: it claims then to make durable steps. */
export const stepTaskType = "conformance.step";

export function makeStep(input: EnvelopeInput = {}): TaskEnvelope {
  const inputs = { text: "Grüße", list: [1, 2.5, null, true], nested: { b: {}, a: -0.001 } };
  return envelope({ taskType: stepTaskType, title: "Make a durable step", inputs, ...input });
}

/** Every envelope of the suite names its attempt. */
export function idsOf({ execution }: TaskEnvelope): Pick<Execution, "dispatchId" | "attemptNumber"> {
  return { dispatchId: execution?.dispatchId ?? "", attemptNumber: execution?.attemptNumber ?? 1 };
}
