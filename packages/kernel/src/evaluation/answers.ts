import { type AgentResult, type Pipeline, PipelineStatus, type Stage, StageStatus } from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { failedOutput, type NodeOutput, nodeOutput } from "../graph/scope.ts";

/** The answers of a run that checks read. */
export interface Answers {
  readonly nodes: ReadonlyMap<string, NodeOutput>;
  /** The answer of the workflow: of its ends, the one that was completed last. A failure if none was. */
  readonly response: NodeOutput;
}

/** `ends` are the end stages of the workflow; without them every stage that no completed one builds on is one. */
export function answersOf(run: Pipeline, ends: readonly string[]): Answers {
  const nodes = new Map(
    run.stages.flatMap((stage): [string, NodeOutput][] => {
      const output = outputOf(stage);
      return output ? [[stage.stageId, output]] : [];
    }),
  );
  const last = lastOf(endsOf(run, ends).filter(({ result }) => result !== undefined));
  return { nodes, response: nodes.get(last?.stageId ?? "") ?? failedOutput(reasonOf(run)) };
}

function endsOf({ stages }: Pipeline, ends: readonly string[]): readonly Stage[] {
  const completed = stages.filter(({ status }) => status === StageStatus.COMPLETED);
  // `completed` of SACP ends a workflow at any node.
  const early = completed.filter(({ result }) => isEnding(result));
  if (early.length > 0) return early;
  const named = completed.filter(({ stageId }) => ends.includes(stageId));
  if (named.length > 0) return named;
  const needed = new Set(completed.flatMap(({ config }) => config?.dependsOnStages ?? []));
  return completed.filter(({ stageId }) => !needed.has(stageId));
}

function isEnding(result: AgentResult | undefined): boolean {
  return result?.response !== undefined && nodeOutput(result.response).status === "completed";
}

function lastOf(stages: readonly Stage[]): Stage | undefined {
  const endMs = ({ finishedAt }: Stage) => (finishedAt ? timestampMs(finishedAt) : 0);
  return stages.reduce<Stage | undefined>(
    (last, stage) => (last === undefined || endMs(stage) >= endMs(last) ? stage : last),
    undefined,
  );
}

const givenUp: ReadonlySet<StageStatus> = new Set([StageStatus.FAILED, StageStatus.SKIPPED]);

/** Of a stage that failed, a failure, whatever its agent answered. */
function outputOf({ result, status }: Stage): NodeOutput | undefined {
  if (result === undefined) return undefined;
  const { response, status: stated } = result;
  const output = response ? nodeOutput(response) : undefined;
  if (givenUp.has(status))
    return output ? { ...output, status: "failure" } : failedOutput(stated?.failureReason ?? "");
  return output ?? { status: "success", data: {}, message: stated?.summary ?? "", nextStepHint: "" };
}

function reasonOf({ status, statusReason }: Pipeline): string {
  const state = (PipelineStatus[status] ?? "").toLowerCase();
  return statusReason || `the run is ${state} and has no answer`;
}
