import type { Problem, ProblemCode } from "../../problem.ts";
import type { Draft } from "./draft.ts";

/** Why a request is refused, and what to do instead. */
export function refusal(code: ProblemCode, message: string, fix: string): Problem {
  return { code, at: "", message, fix };
}

export function wrongState(draft: Draft, what: string, message: string): Problem {
  const fix = `look at the run again: it is ${draft.state.life.status}`;
  return refusal("BATON-PIPELINE-002", `cannot ${what}: ${message}`, fix);
}

export function missing(message: string, fix: string): Problem {
  return refusal("BATON-PIPELINE-003", message, fix);
}
