/** Steps of agents in tests. */
import { type Step, StepSchema, StepState } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

type StepInit = Extract<MessageInitShape<typeof StepSchema>, { readonly $typeName?: never }>;

export const digest: string = `sha256:${"0".repeat(64)}`;

/** A completed step, unless `init` says otherwise. */
export function step(
  name: string,
  {
    state = "COMPLETED",
    ...init
  }: Omit<StepInit, "state"> & { readonly state?: keyof typeof StepState } = {},
): { readonly case: "step"; readonly value: Step } {
  const valueJson = state === "COMPLETED" ? '"value"' : "";
  const value = { name, argumentsDigest: digest, occurrence: 1, state: StepState[state], valueJson, ...init };
  return { case: "step", value: create(StepSchema, value) };
}
