import { type Step, StepSchema, StepState } from "@baton/contract";
import { type ReportedStep, type StepStateName, stepLimits } from "@baton/kernel";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { HubError } from "../../ports/hub-error.ts";
import type { StepRow } from "../../ports/store.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The parts of a row that the kernel does not decide. */
export type UnnumberedStep = Pick<StepRow, "info" | "value" | "valueBytes">;

export function rowOf(step: Step): UnnumberedStep {
  const value = encoder.encode(step.valueJson);
  return { info: toBinary(StepSchema, { ...step, valueJson: "" }), value, valueBytes: value.length };
}

/** Without its value when it was not read. */
export function stepOf({ info, value }: Pick<StepRow, "info" | "value">): Step {
  return { ...fromBinary(StepSchema, info), valueJson: decoder.decode(value) };
}

/** A step for the kernel. Throws `HubError` for a step whose value does not fit its state. */
export function reportedStep(step: Step, bytes: number): ReportedStep {
  const { name, argumentsDigest, occurrence, usage } = step;
  const state = states[step.state];
  if (!state) throw badStep("its state is unknown");
  if (state === "COMPLETED") checkValue(step.valueJson, bytes);
  else if (bytes > 0) throw badStep("a step that is not completed has no value");
  return { name, argumentsDigest, occurrence, state, bytes, usage };
}

const states: Readonly<Partial<Record<StepState, StepStateName>>> = {
  [StepState.STARTED]: "STARTED",
  [StepState.COMPLETED]: "COMPLETED",
  [StepState.FAILED]: "FAILED",
};

/** Not parsed when it is too long: the kernel refuses it. */
function checkValue(json: string, bytes: number): void {
  if (bytes > stepLimits.valueBytes) return;
  try {
    JSON.parse(json);
  } catch {
    throw badStep("its value is no JSON");
  }
}

function badStep(why: string): HubError {
  return new HubError("invalid", "BATON-STEP-004", `the step cannot be stored: ${why}`, {
    fix: "report STARTED without a value, and COMPLETED with the value as JSON text in value_json",
    violations: [{ field: "step.value_json", rule: "BATON-STEP-004", message: why }],
  });
}
