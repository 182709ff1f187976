import {
  type AgentResult,
  EvidenceSchema,
  Outcome,
  ResponseStatus,
  StructuredResponseSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";

const noVerdict = "the consulted agent gives no verdict";

/**
 * Of the answer of a consulted agent, only its verdict and its reason: any other text may repeat the answer that is
 * withheld, and would be in a failure, a question or the record. An agent that asks instead of answering has failed.
 */
export function consultedResult({
  contextOut: _,
  approvalNeeded: __,
  budgetNeeded: ___,
  ...result
}: AgentResult): AgentResult {
  const { status, response } = result;
  const hasAnswered = response?.status === ResponseStatus.SUCCESS;
  const { verdict, reason } = response?.data ?? {};
  const summary = hasAnswered ? "" : noVerdict;
  return {
    ...result,
    ...(status && {
      status: {
        ...status,
        ...{ summary, failureCode: "", failureReason: summary },
        ...(status.outcome === Outcome.POLICY_BLOCKED && { outcome: Outcome.NON_RETRYABLE_FAILURE }),
      },
    }),
    ...{ artifacts: [], blockers: [], notices: [], commitSha: "" },
    evidence: create(EvidenceSchema, {
      evidencePayload: { case: "noneWithReason", value: "the answer is a verdict" },
    }),
    response: create(StructuredResponseSchema, {
      status: hasAnswered ? ResponseStatus.SUCCESS : ResponseStatus.FAILURE,
      message: summary,
      data: {
        ...(typeof verdict === "string" && verdicts.has(verdict) && { verdict }),
        ...(typeof reason === "string" && { reason }),
      },
    }),
  };
}

/** Another word may repeat the answer, too; without a verdict the answer violates its schema. */
const verdicts: ReadonlySet<string> = new Set(["valid", "non_constitutional", "escalate"]);
