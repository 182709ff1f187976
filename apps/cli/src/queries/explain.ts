import { type ExplainDispatchResponse, type Pipeline, type Stage, StageStatus } from "@baton/contract/forms";
import { Code, ConnectError } from "@connectrpc/connect";
import { CliError } from "../errors/cli-error.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { explainWaiting } from "./explain-waiting.ts";
import { findPipeline } from "./find-pipeline.ts";

/** Explains a dispatch, named by its id or as RUN/STAGE. */
export async function explain(
  hub: Hub,
  given: string,
  signal: AbortSignal,
): Promise<ExplainDispatchResponse> {
  return (
    (await unlessNotFound(hub.orchestrator.explainDispatch({ dispatchId: given }, { signal }))) ??
    byStage(hub, given, signal)
  );
}

async function byStage(hub: Hub, given: string, signal: AbortSignal): Promise<ExplainDispatchResponse> {
  const at = given.indexOf("/");
  const [id, rest] = at < 0 ? [given, ""] : [given.slice(0, at), given.slice(at + 1)];
  const pipeline = await unlessNotFound(findPipeline(hub, id, signal));
  if (pipeline === undefined) throw unknownName(given, id);
  const stage = stageOf(pipeline, rest);
  if (stage === undefined) {
    const dispatchId = `${pipeline.pipelineId}/${rest}`;
    const attempt = await unlessNotFound(hub.orchestrator.explainDispatch({ dispatchId }, { signal }));
    if (attempt === undefined) throw unknownStage(pipeline, rest);
    return attempt;
  }
  if (isUnsent(stage)) return explainWaiting(hub, pipeline, stage, signal);
  return hub.orchestrator.explainDispatch({ dispatchId: stage.dispatchId }, { signal });
}

/** A stage that waits for an agent again: the question is what it waits for now, not its earlier dispatch. */
function isUnsent({ dispatchId, status }: Stage): boolean {
  return dispatchId === "" || status === StageStatus.READY;
}

function stageOf({ stages }: Pipeline, stageId: string): Stage | undefined {
  return stageId === "" && stages.length === 1
    ? stages[0]
    : stages.find((stage) => stage.stageId === stageId);
}

async function unlessNotFound<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof ConnectError && error.code === Code.NotFound) return undefined;
    throw error;
  });
}

function unknownName(given: string, id: string): CliError {
  const problem = id === given ? "" : `: there is no run "${id}"`;
  return new CliError("BATON-CLI-004", `"${given}" names neither a stage nor a dispatch${problem}`, {
    fix: "give RUN/STAGE; baton runs list shows the runs, baton runs show ID its stages",
  });
}

function unknownStage({ pipelineId, stages }: Pipeline, stageId: string): CliError {
  const names = stages.map((stage) => `${pipelineId}/${stage.stageId}`).join(", ");
  const problem =
    stageId === "" ? `${pipelineId} has ${stages.length} stages` : `${pipelineId} has no stage "${stageId}"`;
  return new CliError("BATON-CLI-004", problem, { fix: `ask about one of: ${names}` });
}
