import { type AgentResult, FailedCheckSchema, Outcome, ResponseStatus } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { validateValue } from "../../json-schema/validate-value.ts";
import { feedbackFor } from "../attempt/feedback.ts";
import type { Draft } from "../decision/draft.ts";
import type { LostAttempt } from "../stage/retry.ts";
import type { Sent } from "../state/stage-state.ts";

/** Statuses whose data is checked; a question or a failure has none. */
const answered = new Set([
  undefined,
  ResponseStatus.UNSPECIFIED,
  ResponseStatus.SUCCESS,
  ResponseStatus.COMPLETED,
]);

/**
 * The schema violations in the data of a result (SAC-11), one line each: path, rule, message and value. The envelope's schema
 * combines those of stage and pack, so that every kind of agent is checked alike. Absent data is an empty object; a partial
 * result may omit it.
 */
export function findDataViolations({ envelope }: Sent, { status, response }: AgentResult): readonly string[] {
  const { outputSchema } = envelope;
  const counts =
    status?.outcome === Outcome.SUCCESS || (status?.outcome === Outcome.PARTIAL && response?.data);
  if (!outputSchema || !counts || !answered.has(response?.status)) return [];
  return validateValue(outputSchema, response?.data ?? {}).map(
    ({ path, rule, message, value }) =>
      `response.data${path}: ${rule}: ${message}${value === "" || value === "nothing" ? "" : `; found ${value}`}`,
  );
}

/** Characters of the violations in the feedback; whole lines only. */
const maxEvidenceLength = 16_384;

/** Retries the stage with the violations as feedback. */
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
