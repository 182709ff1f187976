import {
  ContextLevel,
  FailureStrategy,
  PipelinePolicySchema,
  SafetyContextSchema,
  StageSchema,
  SubmitTaskRequestSchema,
  type Workspace,
  WorkspaceSchema,
} from "@baton/contract";
import { create, type JsonObject } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { brief } from "../../brief.ts";
import type { ReviewSubmission } from "../decision/command.ts";
import type { Draft } from "../decision/draft.ts";
import { attemptWorkspace, commitOf } from "../state/workspace.ts";
import type { CheckedAttempt } from "./checked-attempt.ts";

const text = { type: "string", minLength: 1, maxLength: 4_000 } as const;

/** The reviewer's answer. Enforced like every output schema, so a verdict is never guessed. */
const verdictSchema: JsonObject = {
  type: "object",
  required: ["verdict", "reason"],
  properties: {
    verdict: { enum: ["approve", "reject"] },
    reason: text,
    instructions: { type: "array", maxItems: 50, items: text },
  },
};

/** Items of a list for the reviewer; the workspace has the rest. */
const maxListed = 100;

export function reviewSubmission(draft: Draft, checked: CheckedAttempt, taskType: string): ReviewSubmission {
  const { state } = draft;
  const { index, sent, result } = checked;
  const { id: stageId, timeoutMs } = draft.plan(index);
  const { contract, workspace } = sent.envelope;
  const title = brief(contract?.title ?? state.name);
  const name = `Review of "${stageId}": ${title}`;
  const stage = create(StageSchema, {
    stageId: "review",
    stageName: "review",
    taskType,
    config: {
      required: true,
      outputSchema: verdictSchema,
      timeout: durationFromMs(timeoutMs),
      // Approving the flags of the task covers its review.
      handoffPolicy: { contextLevel: ContextLevel.RICH, escalation: {} },
    },
  });
  const policy = create(PipelinePolicySchema, { failureStrategy: FailureStrategy.FAIL_FAST });
  const decisions = (result.contextOut?.decisionsMade ?? []).slice(-maxListed);
  const task = create(SubmitTaskRequestSchema, {
    idempotencyKey: `review/${sent.dispatchId}`,
    plan: { case: "pipeline", value: { name, stages: [stage], policy } },
    contract: {
      taskId: sent.dispatchId,
      title: name,
      ownerDomain: contract?.ownerDomain ?? "",
      acceptanceCriteria: [
        'The answer has data with a verdict, "approve" or "reject", a reason, and for a rejection instructions.',
        "The verdict says whether the work meets every acceptance criterion in inputs.contract.",
      ],
      nonGoals: ["Changing the work."],
    },
    safety: { ...(state.task.safety ?? create(SafetyContextSchema)), securityFlags: undefined } as never,
    refs: [...sent.envelope.refs],
    priority: state.task.priority,
    riskTier: sent.choice.riskTier,
    context: {
      sharedContext: brief(result.status?.summary ?? ""),
      decisionMemo: { decisions },
      unresolvedAssumptions: (result.contextOut?.assumptionsMade ?? []).slice(-maxListed),
    },
    inputs: inputsOf(draft, checked),
  });
  const position = workspaceFor(draft, index, workspace);
  if (position) task.workspace = position;
  const reviewOf = {
    ...{ pipelineId: state.id, stageId, dispatchId: sent.dispatchId },
    packId: sent.choice.packId,
  };
  return { name, task, stages: [stage], policy, reviewOf };
}

/** The reviewer works on a copy of the kept commit, or in the shared folder itself. */
function workspaceFor(draft: Draft, index: number, shared: Workspace | undefined): Workspace | undefined {
  const stage = draft.stage(index);
  const commit = commitOf(stage);
  if (!attemptWorkspace(stage) || commit === undefined) return shared;
  const repository = draft.state.task.workspace?.repository ?? "";
  return create(WorkspaceSchema, { repository, baseCommit: commit });
}

/** The inputs of the review: contract, changes and findings of the checks. */
function inputsOf(draft: Draft, { index, sent, result, checks }: CheckedAttempt): JsonObject {
  const { contract } = sent.envelope;
  const cut = (texts: readonly string[] = []) => texts.slice(0, maxListed).map(brief);
  return {
    run: draft.state.id,
    stage: draft.plan(index).id,
    author: sent.choice.packId,
    contract: {
      title: brief(contract?.title ?? ""),
      acceptance_criteria: cut(contract?.acceptanceCriteria),
      definition_of_done: cut(contract?.definitionOfDone),
      non_goals: cut(contract?.nonGoals),
    },
    summary: brief(result.status?.summary ?? ""),
    artifacts: cut(result.artifacts.map(({ path }) => path)),
    blockers: cut(result.blockers.map(({ description }) => description)),
    checks: checks.map(({ name, status, evidence }) => ({ name, status, evidence: brief(evidence) })),
  };
}
