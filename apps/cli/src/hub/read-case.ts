import type { Escalation, GetAttemptResponse, Pipeline } from "@baton/contract";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Hub } from "./connect-hub.ts";

/** A question with what is needed to decide it: the pipeline, and the attempt that it is about. */
export interface Case {
  readonly question: Escalation;
  readonly pipeline: Pipeline | undefined;
  readonly attempt: GetAttemptResponse | undefined;
}

export async function readCase(hub: Hub, question: Escalation, signal: AbortSignal): Promise<Case> {
  const { pipelineId, stageId } = question;
  const pipeline = (await ifThere(hub.orchestrator.getPipeline({ pipelineId }, { signal })))?.pipeline;
  const dispatchId =
    question.dispatchId || (pipeline?.stages.find((stage) => stage.stageId === stageId)?.dispatchId ?? "");
  const attempt =
    dispatchId === "" ? undefined : await ifThere(hub.inspection.getAttempt({ dispatchId }, { signal }));
  return { question, pipeline, attempt };
}

/** Whoever may not see it, or asks an older hub, decides with what they have. */
const missing: ReadonlySet<Code> = new Set([Code.NotFound, Code.PermissionDenied, Code.Unimplemented]);

async function ifThere<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof ConnectError && missing.has(error.code)) return undefined;
    throw error;
  });
}
