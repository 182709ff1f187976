import {
  AttemptPart,
  AuditEventType,
  type Escalation,
  type GetAttemptResponse,
  type GetPipelineChangesResponse,
  type Pipeline,
} from "@baton/contract/forms";
import { before } from "@baton/kernel/deciding";
import type { Hub } from "./connect-hub.ts";
import { all, quote } from "./filter.ts";
import { ifThere } from "./if-there.ts";
import { listEntriesIfAllowed } from "./list-entries.ts";
import { readResult } from "./read-results.ts";
import { shutOutOf } from "./shut-out.ts";

/** A question with what is needed to decide it: the pipeline, and the attempt that it is about. */
export interface Case {
  readonly question: Escalation;
  readonly pipeline: Pipeline | undefined;
  readonly attempt: GetAttemptResponse | undefined;
  /** Everything that the run has changed so far; undefined where nothing was sent yet, or an older hub does not say. */
  readonly change: GetPipelineChangesResponse | undefined;
  /** What the agent said where that was no answer, as the record has it. */
  readonly raw: string;
  /** Agents that get nothing before they are let in again. */
  readonly shutOut: readonly string[];
}

export async function readCase(hub: Hub, question: Escalation, signal: AbortSignal): Promise<Case> {
  const { pipelineId, stageId } = question;
  const pipeline = (await ifThere(hub.orchestrator.getPipeline({ pipelineId }, { signal })))?.pipeline;
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
        : await ifThere(hub.inspection.getPipelineChanges({ dispatchId: worked }, { signal })),
    raw: dispatchId === "" || attempt?.result ? "" : await rawAnswer(hub, pipelineId, dispatchId, signal),
    shutOut: stage && isOpen ? await shutOutOf(hub, stage, signal) : [],
  };
}

/** Of a stage that was not sent yet, the work so far is that of the last stage before it. */
function lastDispatch(pipeline: Pipeline | undefined, stageId: string): string {
  if (pipeline === undefined) return "";
  const earlier = before(pipeline.stages, stageId);
  const sent = pipeline.stages.filter((stage) => earlier.includes(stage.stageId) && stage.dispatchId !== "");
  return sent.at(-1)?.dispatchId ?? "";
}

/** With its result, also where all of it does not fit into one answer. */
async function readAttempt(
  hub: Hub,
  dispatchId: string,
  signal: AbortSignal,
): Promise<GetAttemptResponse | undefined> {
  const attempt = await ifThere(hub.inspection.getAttempt({ dispatchId }, { signal }));
  if (!attempt?.leftOut.some(({ part }) => part === AttemptPart.RESULT)) return attempt;
  const result = await readResult(hub, dispatchId, signal);
  return { ...attempt, ...(result && { result }) };
}

/** The record is redacted before it is written. */
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
