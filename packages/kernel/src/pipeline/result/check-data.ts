import { type AgentResult, FailedCheckSchema, Outcome, ResponseStatus } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { validateValue } from "../../json-schema/validate-value.ts";
import { feedbackFor } from "../attempt/feedback.ts";
import type { Draft } from "../decision/draft.ts";
import type { LostAttempt } from "../stage/retry.ts";
import type { Sent } from "../state/stage-state.ts";

/** Statuses of a structured answer whose data counts; a question or a failure has none to check. */
const answered = new Set([
  undefined,
  ResponseStatus.UNSPECIFIED,
  ResponseStatus.SUCCESS,
  ResponseStatus.COMPLETED,
]);

/**
 * What is wrong with the data of a result (SAC-11), a line a violation: path, rule and message. The envelope carries the
 * schema of the stage and of the pack, so that every kind of agent is held against the same. Absent data is an empty object; a partial
 * result may leave it out.
 */
export function findDataViolations({ envelope }: Sent, { status, response }: AgentResult): readonly string[] {
  const { outputSchema } = envelope;
  const counts =
    status?.outcome === Outcome.SUCCESS || (status?.outcome === Outcome.PARTIAL && response?.data);
  if (!outputSchema || !counts || !answered.has(response?.status)) return [];
  return validateValue(outputSchema, response?.data ?? {}).map(
    ({ path, rule, message }) => `response.data${path}: ${rule}: ${message}`,
  );
}

/** Size of the violations in the feedback; whole lines. */
const maxEvidenceLength = 16_384;

/** The same stage is tried again, with every violation as feedback. */
export function invalidDataAttempt(
  draft: Draft,
  index: number,
  sent: Sent,
  result: AgentResult,
  violations: readonly string[],
): LostAttempt {
  const lines: string[] = [];
  let length = 0;
  for (const line of violations) {
    length += line.length + 1;
    if (length <= maxEvidenceLength) lines.push(line);
  }
  const many = violations.length === 1 ? "1 violation" : `${violations.length} violations`;
  const reason = `the data does not satisfy the output schema: ${many}, first ${violations[0]}`;
  const check = create(FailedCheckSchema, { checkName: "output_schema", reason, evidence: lines.join("\n") });
  const feedback = feedbackFor({
    rejectedBy: draft.plan(index).id,
    sent,
    result,
    failedChecks: [check],
    instructions: ["Answer with data that satisfies output_schema."],
  });
  return { failure: { code: "OUTPUT_SCHEMA", reason, result }, feedback };
}
