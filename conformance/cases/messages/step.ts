/** Step: a part of an attempt's work whose value is stored. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { missing } from "../missing.ts";
import { patch } from "../patch.ts";

export const minimalStep: JsonObject = {
  name: "model",
  argumentsDigest: "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
  occurrence: 1,
  state: "STEP_STATE_STARTED",
};

const fullStep = patch(minimalStep, {
  occurrence: 2,
  state: "STEP_STATE_COMPLETED",
  value_json: '{"text":"four","tokens":4}',
  usage: { inputTokens: "1200", outputTokens: "80", costMicroUsd: "5400", steps: 1 },
  idempotent: true,
  critical: true,
});

export const stepCases: readonly Case[] = [
  valid("step-minimal", "Step", "The smallest step that the rules accept.", minimalStep),
  valid("step-full", "Step", "A step that has a value.", fullStep),
  valid(
    "step-failed",
    "Step",
    "A step that ended without a value.",
    patch(minimalStep, { state: "STEP_STATE_FAILED", error: "The server did not answer", usage: {} }),
  ),
  valid(
    "step-longest",
    "Step",
    "The longest name and error, in the last of many uses.",
    patch(minimalStep, { name: "x".repeat(256), occurrence: 1000, error: "x".repeat(4096) }),
  ),
  valid("given-steps", "GivenSteps", "The first of two steps.", { count: 2, steps: [fullStep] }),
  valid("given-steps-elsewhere", "GivenSteps", "All have to be listed.", { count: 1 }),
  ...breaks("Step", minimalStep, [
    ["name", "", "string.min_len", "A step without a name."],
    ["name", "x".repeat(257), "string.max_len", "A name that is a text."],
    ["arguments_digest", "", "string.min_len", "A step without its arguments."],
    ["arguments_digest", "x".repeat(72), "string.max_len", "A digest of another kind."],
    ["occurrence", 0, "int32.gte", "Uses are counted from one."],
    ["state", "STEP_STATE_UNSPECIFIED", "enum.not_in", "A step that is nowhere."],
    ["state", 4, "enum.defined_only", "A state that nobody knows."],
    ["error", "x".repeat(4097), "string.max_len", "An error that is too long."],
    ["usage", { inputTokens: "-1" }, "int64.gte", "Fewer than no tokens.", { at: "usage.input_tokens" }],
  ]),
  ...breaks("GivenSteps", { count: 1 }, [["count", 0, "int32.gte", "Steps that are none."]]),
  ...hollow("GivenSteps", { count: 1, steps: [minimalStep] }, [["steps[0]", missing.step]]),
];
