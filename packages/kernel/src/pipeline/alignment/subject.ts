import type { AgentResult, AlignmentReport, Governance } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Constitution, noConstitution } from "../../governance/constitution.ts";
import type { Draft } from "../decision/draft.ts";
import { withResult } from "../state/fold.ts";
import type { Sent } from "../state/stage-state.ts";
import type { Alignment, AlignmentPhase, PipelineState } from "../state/state.ts";

/** The task itself, among subjects that are indices of stages. */
export const theTask = -1;

/** The governed part of the task; undefined for other tasks, which are not checked. */
export function governanceOf({ state }: Draft): Governance | undefined {
  return state.task.governance;
}

export function constitutionOf({ world }: Draft): Constitution {
  return world.constitution ?? noConstitution;
}

export function alignmentOf({ state }: Draft, subject: number): Alignment | undefined {
  return state.alignments?.get(subject);
}

export function recordAlignment(
  draft: Draft,
  subject: number,
  phase: AlignmentPhase,
  report: AlignmentReport,
): void {
  draft.record({ type: "aligned", subject, phase, report, atMs: draft.nowMs });
}

/** The attempt whose answer is the subject, with its answer; undefined for the task, and once the stage has moved on. */
export function attemptOf(
  draft: Draft,
  subject: number,
): { readonly sent: Sent; readonly result: AgentResult } | undefined {
  const stage = subject === theTask ? undefined : draft.stage(subject);
  if (stage?.status !== "DISPATCHED" || stage.phase.kind !== "verifying") return undefined;
  return withResult(stage);
}

/** Whether the answer of the stage comes from the cache: no agent has sent it. */
export function isServed(draft: Draft, subject: number): boolean {
  const { source } = draft.state.cache ?? {};
  return source !== undefined && attemptOf(draft, subject)?.sent.dispatchId === source.dispatchId;
}

/** The inputs of the task, with what a person edited for a rerun. */
export function payloadOf({ state }: Draft): JsonObject {
  const { task, edited } = state;
  if (!edited) return task.inputs ?? {};
  return edited.merge ? { ...task.inputs, ...edited.inputs } : edited.inputs;
}

/** The answer that a question about alignment withholds; undefined when it is about the task. */
export function stageResult({ stages }: PipelineState, subject: number): AgentResult | undefined {
  const stage = stages[subject];
  if (stage?.status !== "DISPATCHED" || stage.phase.kind !== "verifying") return undefined;
  return stage.phase.result;
}
