import { type PipelinePolicy, PipelinePolicySchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";

/**
 * How strict a hub is (A §3.4, §4.7). In production independent stages run side by side, a missed deadline pauses the run
 * and asks a person, and circuit breakers count every failure. In dev one stage of a run works at a time, a missed
 * deadline only warns, and failures of commands that the hub starts itself trip no breaker.
 */
export const hubModes = ["dev", "production"] as const;

export type HubMode = (typeof hubModes)[number];

export const defaultMode: HubMode = "production";

/** The policy of a new run. What the policy states goes before the mode. */
export function policyIn(mode: HubMode, policy: PipelinePolicy | undefined): PipelinePolicy | undefined {
  if (mode === "production") return policy;
  const stated = policy ?? unstated;
  const before = inDev.get(stated);
  if (before) return before;
  const { serial, parallel, softDeadline, hardDeadline } = stated;
  const made = { ...stated, serial: serial || !parallel, softDeadline: softDeadline || !hardDeadline };
  inDev.set(stated, made);
  return made;
}

const unstated = create(PipelinePolicySchema);
/** The same object for the same policy: plans are kept by it. */
const inDev = new WeakMap<PipelinePolicy, PipelinePolicy>();
