import {
  AttemptPart,
  AuditEventType,
  type Escalation,
  EscalationKind,
  type GetAttemptResponse,
  type GetPipelineChangesResponse,
  type GetWithheldAnswerResponse,
  type Pipeline,
} from "@baton/contract/forms";
import { attemptsUnderReview, before, diffSinceCommand } from "@baton/kernel/deciding";
import type { Hub } from "../hub/connect-hub.ts";
import { all, quote } from "../hub/filter.ts";
import { optionalAnswer } from "../hub/optional-answer.ts";
import { listEntriesIfAllowed } from "./list-entries.ts";
import { quarantinedAgentsFor } from "./quarantined-agents.ts";
import { readResult } from "./read-results.ts";

/** A question with what is needed to decide it: the run, and the attempt that it is about. */
export interface Case {
  readonly question: Escalation;
  readonly pipeline: Pipeline | undefined;
  readonly attempt: GetAttemptResponse | undefined;
  /** Everything that the run has changed so far; undefined where nothing was dispatched yet, or the hub is older. */
  readonly change: GetPipelineChangesResponse | undefined;
  /** The text of an invalid answer, from the audit record. */
  readonly raw: string;
  /** Earlier rejections of the work under review. */
  readonly rejections: readonly Rejection[];
  /** Of a question about alignment: the answer that is withheld, for the person who decides. */
  readonly withheld: GetWithheldAnswerResponse | undefined;
  /** Quarantined agents: they are sent nothing until they are restored. */
  readonly quarantined: readonly string[];
}

export interface Rejection {
  readonly stageId: string;
  readonly attempt: number;
  /** The reason, then the instructions for the next attempt. */
  readonly instructions: readonly string[];
  /** The git command that shows what changed since; empty where attempts share a folder. */
  readonly command: string;
}

export async function readCase(hub: Hub, question: Escalation, signal: AbortSignal): Promise<Case> {
  const { pipelineId, stageId } = question;
  const pipeline = (await optionalAnswer(hub.orchestrator.getPipeline({ pipelineId }, { signal })))?.pipeline;
  const stage = pipeline?.stages.find((one) => one.stageId === stageId);
  const dispatchId = question.dispatchId || (stage?.dispatchId ?? "");
  const attempt = dispatchId === "" ? undefined : await readAttempt(hub, dispatchId, signal);
  const worked = dispatchId || lastDispatch(pipeline, stageId);
  const isOpen = question.resolvedAt === undefined;
  return {
    ...{ question, pipeline, attempt },
    change:
      worked === ""
        ? undefined
        : await optionalAnswer(hub.inspection.getPipelineChanges({ dispatchId: worked }, { signal })),
    rejections:
      question.kind === EscalationKind.REVIEW ? await readRejections(hub, question, pipeline, signal) : [],
    withheld:
      question.kind === EscalationKind.ALIGNMENT && isOpen
        ? await optionalAnswer(
            hub.inspection.getWithheldAnswer({ escalationId: question.escalationId }, { signal }),
          )
        : undefined,
    raw: dispatchId === "" || attempt?.result ? "" : await rawAnswer(hub, pipelineId, dispatchId, signal),
    quarantined: stage && isOpen ? await quarantinedAgentsFor(hub, stage, signal) : [],
  };
}

async function readRejections(
  hub: Hub,
  { stageId }: Escalation,
  pipeline: Pipeline | undefined,
  signal: AbortSignal,
): Promise<readonly Rejection[]> {
  const stages = pipeline === undefined ? [] : attemptsUnderReview(pipeline, stageId);
  const read = await Promise.all(
    stages.map(async (stage): Promise<Rejection | undefined> => {
      const feedback = (await readAttempt(hub, stage.dispatchId, signal))?.envelope?.reviewFeedback;
      if (feedback === undefined) return undefined;
      const { rejectedAttempt: attempt, instructions } = feedback;
      return { stageId: stage.stageId, attempt, instructions, command: diffSinceCommand(stage, attempt) };
    }),
  );
  return read.filter((rejection) => rejection !== undefined);
}

/** For a stage without a dispatch, the last dispatch before it. */
function lastDispatch(pipeline: Pipeline | undefined, stageId: string): string {
  if (pipeline === undefined) return "";
  const earlier = before(pipeline.stages, stageId);
  const sent = pipeline.stages.filter((stage) => earlier.includes(stage.stageId) && stage.dispatchId !== "");
  return sent.at(-1)?.dispatchId ?? "";
}

/** An attempt with its result, which is read separately when it does not fit into one answer. */
async function readAttempt(
  hub: Hub,
  dispatchId: string,
  signal: AbortSignal,
): Promise<GetAttemptResponse | undefined> {
  const attempt = await optionalAnswer(hub.inspection.getAttempt({ dispatchId }, { signal }));
  if (!attempt?.leftOut.some(({ part }) => part === AttemptPart.RESULT)) return attempt;
  const result = await readResult(hub, dispatchId, signal);
  return { ...attempt, ...(result && { result }) };
}

/** Safe to print: the audit record is redacted when it is written. */
async function rawAnswer(
  hub: Hub,
  pipelineId: string,
  dispatchId: string,
  signal: AbortSignal,
): Promise<string> {
  const type = AuditEventType[AuditEventType.RESULT_INVALID];
  const filter = all(`pipeline_id = ${quote(pipelineId)}`, `event_type = AUDIT_EVENT_TYPE_${type}`);
  const entries = (await listEntriesIfAllowed(hub, filter, signal)) ?? [];
  const payload = entries.findLast((entry) => entry.dispatchId === dispatchId)?.snapshot?.snapshotPayload;
  return payload?.case === "result" ? payload.value.rawText : "";
}
