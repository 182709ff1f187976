import type { AgentResult } from "@baton/contract";
import { failedOutput, type NodeOutput, nodeOutput, type Scope } from "../../graph/scope.ts";
import type { StageState } from "./stage-state.ts";
import type { PipelineState } from "./state.ts";

/** The scope of a stage's conditions and templates; `response` is that of its only dependency (SACP §4). */
export function graphScope(state: PipelineState, index: number): Scope {
  const nodes = outputs(state);
  const [only, another] = state.plan.stages[index]?.dependsOn ?? [];
  const source = only === undefined || another !== undefined ? undefined : state.plan.stages[only]?.id;
  return { response: nodes.get(source ?? ""), nodes, input: state.task.inputs };
}

/** The scopes of the edges that lead to a stage; `response` is that of the stage that the edge leaves. */
export function edgeScope(state: PipelineState): (fromStageId: string) => Scope {
  const nodes = outputs(state);
  return (from) => ({ response: nodes.get(from), nodes, input: state.task.inputs });
}

/** The scope of a stage's back edges; `response` is its own. */
export function ownScope(state: PipelineState, index: number, result: AgentResult): Scope {
  const response = outputOf(result);
  const nodes = outputs(state).set(state.plan.stages[index]?.id ?? "", response);
  return { response, nodes, input: state.task.inputs };
}

function outputs({ plan, stages }: PipelineState): Map<string, NodeOutput> {
  return new Map(
    plan.stages.flatMap(({ id }, position): [string, NodeOutput][] => {
      const output = outputOfStage(stages[position]);
      return output ? [[id, output]] : [];
    }),
  );
}

function outputOfStage(stage: StageState | undefined): NodeOutput | undefined {
  if (stage?.status === "COMPLETED") return outputOf(stage.result);
  if (stage?.status !== "SKIPPED" || !stage.failure) return undefined;
  const { result, reason } = stage.failure;
  return { ...(result?.response ? outputOf(result) : failedOutput(reason)), status: "failure" };
}

/** A success without a structured answer has the status only. */
function outputOf({ response, status }: AgentResult): NodeOutput {
  if (response) return nodeOutput(response);
  return { status: "success", data: {}, message: status?.summary ?? "", nextStepHint: "" };
}
