import { GuardrailDecision, type GuardrailVerdict } from "@baton/contract";
import { brief } from "../brief.ts";
import { guardrailLimits } from "./policy.ts";

/** What a guardrail decided. The reason never repeats what was found. */
export interface GuardVerdict {
  readonly name: string;
  readonly decision: "PASSED" | "BLOCKED" | "ERROR" | "REDACTED";
  readonly rule: string;
  readonly reason: string;
  readonly path: string;
}

/** The verdicts on an answer, and the texts that replace its own. */
export interface Guarded {
  readonly verdicts: readonly GuardVerdict[];
  readonly redacted?: RedactedAnswer | undefined;
}

/** The texts of a failure that a person sees; those without a field stay. */
export interface RedactedAnswer {
  readonly message?: string;
  readonly summary?: string;
  readonly failureReason?: string;
}

/** The first verdict that withholds the answer. */
export function blockingVerdict(verdicts: readonly GuardVerdict[]): GuardVerdict | undefined {
  return verdicts.find(({ decision }) => decision === "BLOCKED" || decision === "ERROR");
}

export function describeBlock({ name, decision, reason, path }: GuardVerdict): string {
  const where = path === "" ? "" : ` (${path})`;
  const does = decision === "ERROR" ? "could not check the answer" : "blocked the answer";
  return brief(`guardrail "${name}" ${does}: ${reason}${where}`);
}

export function shortReason(reason: string): string {
  const { reasonChars } = guardrailLimits;
  return reason.length <= reasonChars ? reason : `${reason.slice(0, reasonChars).toWellFormed()}…`;
}

/** As the contract reports it. A literal, because every answer has several. */
export function verdictView({ name, decision, rule, reason, path }: GuardVerdict): GuardrailVerdict {
  return {
    $typeName: "vasini.agent.v1.GuardrailVerdict",
    name,
    decision: GuardrailDecision[decision],
    rule,
    reason,
    path,
  };
}
