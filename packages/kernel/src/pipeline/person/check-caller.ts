import type { Problem } from "../../problem.ts";
import type { PipelineInput } from "../decision/input.ts";

/** The requested action, in words. */
export function verbOf({ type }: PipelineInput): string {
  return verbs[type] ?? type;
}

const verbs: { readonly [Type in PipelineInput["type"]]?: string } = {
  "change-limits": "change the limits",
  label: "change the labels",
  "skip-stage": "skip a stage",
  "override-stage": "override a stage",
  "cancel-stage": "cancel a stage",
};

/** Requests of people require a person and a reason (PIP-10). */
export function checkCaller(input: Exclude<PipelineInput, { type: "submit" }>): Problem | undefined {
  if (!("by" in input)) return undefined;
  const fix = "say who asks for it, and why";
  if (input.by.id === "") return { code: "BATON-PIPELINE-004", at: "by", message: "nobody asks for it", fix };
  // Answers to questions need no reason.
  if ("reason" in input && input.reason === "" && input.type !== "resolve") {
    return {
      code: "BATON-PIPELINE-004",
      at: "reason",
      message: `cannot ${verbOf(input)} without a reason`,
      fix,
    };
  }
  const isPersons =
    input.type === "pause" ||
    input.type === "resume" ||
    input.type === "abort" ||
    input.type === "rewind" ||
    input.type === "change-limits" ||
    input.type === "label" ||
    input.type === "skip-stage" ||
    input.type === "override-stage" ||
    input.type === "cancel-stage";
  if (!isPersons || input.by.kind === "human" || input.by.kind === "system") return undefined;
  return {
    code: "BATON-PIPELINE-004",
    at: "by",
    message: `an agent cannot ${verbs[input.type] ?? `${input.type} a run`}`,
    fix: "let a person do it",
  };
}
