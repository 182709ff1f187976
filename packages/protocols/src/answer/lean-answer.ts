/**
 * The lean form of a result: what only the agent knows. The transport adds what the envelope states. It accepts every
 * field of a SACP response (SACP §2), so an agent that speaks SACP speaks this too.
 * docs/reference/command-agents.md lists the fields.
 */
import {
  type AgentResult,
  type AgentResultSchema,
  ArtifactAction,
  BlockerType,
  Confidence,
  EvidenceType,
  Outcome,
  ResponseStatus,
} from "@baton/contract";
import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { type AnswerProblem, GivenObject } from "./given-object.ts";

export type ResultInit = Exclude<MessageInitShape<typeof AgentResultSchema>, AgentResult>;

interface Verdict {
  readonly outcome: Outcome;
  readonly response: ResponseStatus;
  readonly confidence: Confidence;
  /** Why there is no evidence, unless the answer says it. */
  readonly noEvidence?: string;
  readonly failureCode?: string;
}

const { CONFIDENT, UNCERTAIN, BLOCKED } = Confidence;

/** What each status means for the pipeline (A §2.10, A §4.3 step 5) and for routing (SACP §2.2). */
const verdicts: Readonly<Record<string, Verdict>> = {
  success: { outcome: Outcome.SUCCESS, response: ResponseStatus.SUCCESS, confidence: CONFIDENT },
  completed: { outcome: Outcome.SUCCESS, response: ResponseStatus.COMPLETED, confidence: CONFIDENT },
  partial: { outcome: Outcome.PARTIAL, response: ResponseStatus.SUCCESS, confidence: UNCERTAIN },
  failure: {
    ...{ outcome: Outcome.NON_RETRYABLE_FAILURE, response: ResponseStatus.FAILURE },
    ...{ confidence: CONFIDENT, failureCode: "TASK_FAILED" },
  },
  retry: {
    ...{ outcome: Outcome.RETRYABLE_FAILURE, response: ResponseStatus.FAILURE },
    ...{ confidence: CONFIDENT, failureCode: "TASK_FAILED" },
  },
  blocked: {
    ...{ outcome: Outcome.POLICY_BLOCKED, response: ResponseStatus.FAILURE },
    ...{ confidence: BLOCKED, failureCode: "NEEDS_PERSON" },
  },
  clarification_needed: {
    ...{ outcome: Outcome.PARTIAL, response: ResponseStatus.CLARIFICATION_NEEDED },
    ...{ confidence: BLOCKED, noEvidence: "the agent asks before it goes on" },
  },
  retry_with_instruction: {
    ...{ outcome: Outcome.PARTIAL, response: ResponseStatus.RETRY_WITH_INSTRUCTION },
    ...{ confidence: CONFIDENT, noEvidence: "the work goes back to the agent before" },
  },
};

const confidences = { confident: CONFIDENT, uncertain: UNCERTAIN, blocked: BLOCKED };

const evidenceTypes = {
  ...{ test: EvidenceType.TEST, tests: EvidenceType.TEST, lint: EvidenceType.LINT },
  ...{ typecheck: EvidenceType.TYPECHECK, build: EvidenceType.BUILD, security: EvidenceType.SECURITY },
  manual: EvidenceType.MANUAL,
};

const actions = {
  created: ArtifactAction.CREATED,
  modified: ArtifactAction.MODIFIED,
  deleted: ArtifactAction.DELETED,
};

const blockerTypes = {
  ambiguous_requirement: BlockerType.AMBIGUOUS_REQUIREMENT,
  dependency_missing: BlockerType.DEPENDENCY_MISSING,
  tool_failure: BlockerType.TOOL_FAILURE,
  permission_denied: BlockerType.PERMISSION_DENIED,
  timeout: BlockerType.TIMEOUT,
  other: BlockerType.UNSPECIFIED,
};

/** The contract's own limit of what a command printed. */
const longestOutput = 65_536;

export function isLean(value: JsonObject): boolean {
  const { status } = value;
  return typeof status === "string" && status.toLowerCase().replaceAll("-", "_") in verdicts;
}

/** The content of an answer, and all its problems. */
export function readLean(value: JsonObject): {
  readonly init: ResultInit;
  readonly problems: readonly AnswerProblem[];
} {
  const problems: AnswerProblem[] = [];
  const given = new GivenObject(value, "", problems);
  const verdict = given.oneOf("status", verdicts) ?? (verdicts.failure as Verdict);
  const message = given.text("message");
  const summary = given.text("summary") || message;
  if (summary === "") given.complain("summary", "must say what was done", "");
  const failed = verdict.failureCode !== undefined;
  const init: ResultInit = {
    status: {
      outcome: verdict.outcome,
      confidence: given.oneOf("confidence", confidences) ?? verdict.confidence,
      summary,
      failureCode: failed ? given.text("failure_code") || verdict.failureCode : "",
      failureReason: failed ? given.text("failure_reason") || summary : "",
    },
    evidence: readEvidence(given, verdict),
    artifacts: given.items(
      "artifacts",
      (path) => ({ path, action: ArtifactAction.MODIFIED, digest: "" }),
      (item) => ({
        path: item.text("path") || item.complain("path", "must name a file", ""),
        action: item.oneOf("action", actions) ?? ArtifactAction.MODIFIED,
        digest: item.text("digest"),
      }),
    ),
    blockers: given.items(
      "blockers",
      (description) => ({ description }),
      (item) => ({
        description: item.text("description") || item.complain("description", "must say what is wrong", ""),
        blockerType: item.oneOf("kind", blockerTypes) ?? BlockerType.UNSPECIFIED,
        suggestedResolution: item.text("suggestion"),
      }),
    ),
    contextOut: {
      decisionsMade: given.items(
        "decisions",
        (description) => ({ description }),
        (item) => ({ description: item.text("description"), rationale: item.text("rationale") }),
      ),
      risksIdentified: given.texts("risks"),
      assumptionsMade: given.texts("assumptions"),
      rollbackNotes: given.text("rollback_notes"),
    },
    response: {
      thought: given.text("thought"),
      status: verdict.response,
      data: given.object("data"),
      message: message || summary,
      nextStepHint: given.text("next_step_hint"),
    },
    commitSha: given.text("commit"),
  };
  return { init, problems };
}

/** Items, or why there are none. Absent is the latter: the answer shows nothing, and the record says so (A §2.12). */
function readEvidence(given: GivenObject, { noEvidence }: Verdict): NonNullable<ResultInit["evidence"]> {
  const value = given.raw("evidence");
  const reason = typeof value === "string" ? value : (noEvidence ?? "the answer shows no evidence");
  const items =
    typeof value === "string"
      ? []
      : given.items(
          "evidence",
          (output) => ({ type: EvidenceType.MANUAL, command: "", output, passed: true }),
          (item) => {
            const exitCode = item.wholeNumber("exit_code");
            return {
              type: item.oneOf("type", evidenceTypes) ?? EvidenceType.UNSPECIFIED,
              command: item.text("command"),
              output: item.text("output").slice(-longestOutput),
              passed: item.bool("passed"),
              ...(exitCode !== undefined && { exitCode }),
            };
          },
        );
  if (items.length === 0) return { evidencePayload: { case: "noneWithReason", value: reason } };
  return { evidencePayload: { case: "items", value: { items } } };
}
