/** What is checked of each answer before the next agent or a person sees it (SACP §9.1). */
export {
  type GuardedAnswer,
  guardedAnswer,
  redactedResult,
  walk as textsIn,
  withheldResult,
} from "./answer.ts";
export { checkBuiltIn, redactFailure } from "./built-in.ts";
export {
  type Guardrail,
  type GuardrailCheck,
  type GuardrailPolicy,
  type GuardrailScope,
  guardrailLimits,
} from "./policy.ts";
export {
  blockingVerdict,
  describeBlock,
  type Guarded,
  type GuardVerdict,
  shortReason,
  verdictView,
} from "./verdict.ts";
