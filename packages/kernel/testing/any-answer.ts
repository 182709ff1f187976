import { type AgentResult, Outcome, ResponseStatus, type UsageSchema } from "@baton/contract";
import type { Sent } from "../src/pipeline/state/stage-state.ts";
import type { Init } from "./init.ts";
import { resultFor } from "./results.ts";

const outcomes = [
  Outcome.SUCCESS,
  Outcome.SUCCESS,
  Outcome.SUCCESS,
  Outcome.PARTIAL,
  Outcome.RETRYABLE_FAILURE,
  Outcome.NON_RETRYABLE_FAILURE,
  Outcome.POLICY_BLOCKED,
];
const responses = [
  undefined,
  undefined,
  undefined,
  ResponseStatus.SUCCESS,
  ResponseStatus.CLARIFICATION_NEEDED,
  ResponseStatus.RETRY_WITH_INSTRUCTION,
  ResponseStatus.FAILURE,
  ResponseStatus.COMPLETED,
];

type Attempt = Pick<Sent, "envelope" | "granted">;

/** Any result of an agent, by a number. */
export function anyAnswer({ envelope, granted }: Attempt, detail: number): AgentResult {
  const response = responses[detail % responses.length];
  return resultFor(envelope, {
    status: { outcome: outcomes[detail % outcomes.length] ?? Outcome.SUCCESS, failureReason: "because" },
    ...(response !== undefined && { response: { status: response, message: "so", data: dataOf(detail) } }),
    usage: usageOf(granted.tokens ?? 1000, detail),
    blockers: detail % 3 === 0 ? [{ description: "in the way" }] : [],
  });
}

/** A good result; occasionally it ends the workflow. */
export function goodAnswer({ envelope, granted }: Attempt, detail: number): AgentResult {
  const status = detail % 8 === 7 ? ResponseStatus.COMPLETED : ResponseStatus.SUCCESS;
  return resultFor(envelope, {
    response: { status, message: "so", data: dataOf(detail) },
    usage: { inputTokens: BigInt(detail % ((granted.tokens ?? 1000) + 1)) },
  });
}

/** A late result. Its content is never checked. */
export function lateAnswer({ envelope, granted }: Attempt, detail: number): AgentResult {
  return resultFor(envelope, { usage: usageOf(granted.tokens ?? 0, detail) });
}

/** Data for conditions and mappings; occasionally absent. */
function dataOf(detail: number): Record<string, number> {
  return detail % 6 === 5 ? {} : { score: (detail % 10) / 10 };
}

/** At most the granted tokens; occasionally negative amounts. */
function usageOf(granted: number, detail: number): Init<typeof UsageSchema> {
  const tokens = BigInt(detail % (granted + 1));
  const odd: readonly Init<typeof UsageSchema>[] = [
    { inputTokens: -tokens - 1n },
    { inputTokens: -5n, outputTokens: tokens },
    { inputTokens: tokens, costMicroUsd: -1n },
    { inputTokens: tokens, steps: -1 },
  ];
  return odd[(detail % 23) - 1] ?? { inputTokens: tokens };
}
