import { type AgentResultSchema, type AuditEntry, AuditEventType, type TaskEnvelope } from "@baton/contract";
import { feedbackFor } from "../src/pipeline/attempt/feedback.ts";
import { decide } from "../src/pipeline/decide.ts";
import type { Command, Decision } from "../src/pipeline/decision/command.ts";
import { Draft } from "../src/pipeline/decision/draft.ts";
import type { Actor, PipelineInput } from "../src/pipeline/decision/input.ts";
import { evolve } from "../src/pipeline/records/evolve.ts";
import type { PipelineRecord } from "../src/pipeline/records/record.ts";
import { startReady } from "../src/pipeline/stage/advance.ts";
import { sendBack } from "../src/pipeline/stage/send-back.ts";
import { resultOf, sentOf } from "../src/pipeline/state/stage-state.ts";
import type { PipelineState } from "../src/pipeline/state/state.ts";
import type { Problem } from "../src/problem.ts";
import type { World } from "../src/world.ts";
import { brief, briefEdge } from "./brief.ts";
import type { Init } from "./init.ts";
import { unfollowableAdvice } from "./invariants.ts";
import { submission, type TestPipeline } from "./pipelines.ts";
import { resultFor } from "./results.ts";
import { testWorld } from "./world.ts";

export const ada: Actor = { kind: "human", id: "ada" };

/** A pipeline under test: takes inputs and keeps the decisions. */
export class Run {
  world: World;
  state: PipelineState | undefined;
  readonly records: PipelineRecord[] = [];
  readonly audit: AuditEntry[] = [];
  readonly commands: Command[] = [];
  problem: Problem | undefined;

  constructor(pipeline: TestPipeline = {}, world: Partial<World> = {}) {
    this.world = testWorld(world);
    this.give(submission(pipeline));
  }

  /** The resulting records, one line each. */
  give(input: PipelineInput): readonly string[] {
    return this.#take(decide(this.state, input, this.world));
  }

  /** Sends a stage back, as reviews, back edges and resuming do. */
  sendBack(stageId: string, instructions: readonly string[] = ["wrong"]): readonly string[] {
    if (!this.state) throw new Error("the run does not exist");
    const draft = new Draft(this.state, this.world);
    const index = this.state.plan.indexOf.get(stageId) ?? -1;
    const stage = draft.stage(index);
    const sent = sentOf(stage);
    const feedback =
      sent && feedbackFor({ rejectedBy: stageId, sent, result: resultOf(stage), instructions });
    sendBack(draft, index, { feedback, counts: false, edge: undefined, why: instructions[0] ?? "", by: ada });
    startReady(draft);
    return this.#take(draft.done());
  }

  #take(decision: Decision): readonly string[] {
    this.problem = decision.accepted ? undefined : decision.problem;
    if (!decision.accepted) return [`refused: ${decision.problem.message}`];
    for (const record of decision.records) this.state = evolve(this.state, record);
    const advice = this.state ? unfollowableAdvice(this.state) : [];
    if (advice.length > 0) throw new Error(advice.join("; "));
    this.records.push(...decision.records);
    this.audit.push(...decision.audit);
    this.commands.push(...decision.commands);
    return decision.records
      .filter(({ type }) => type !== "edges-decided") // `edges` has them.
      .map((record) => brief(record, this.state));
  }

  /** The last decisions about the edges of a stage, one line each. */
  edges(stageId: string): readonly string[] {
    return (this.state?.stages[this.state.plan.indexOf.get(stageId) ?? -1]?.edges ?? []).map(briefEdge);
  }

  pass(ms: number): this {
    this.world = { ...this.world, nowMs: this.world.nowMs + ms };
    return this;
  }

  /** Advances the clock to the last timer with this prefix, and fires it. */
  fireTimer(prefix: string): readonly string[] {
    const timer = this.commands.findLast(
      (command) => command.type === "set-timer" && command.timerId.startsWith(prefix),
    );
    if (timer?.type !== "set-timer") throw new Error(`no timer "${prefix}" was set`);
    this.world = { ...this.world, nowMs: Math.max(this.world.nowMs, timer.atMs) };
    return this.give({ type: "timer", timerId: timer.timerId });
  }

  envelope(stageId: string): TaskEnvelope {
    const index = this.state?.plan.indexOf.get(stageId) ?? -1;
    const stage = this.state?.stages[index];
    const sent = stage && sentOf(stage);
    if (!sent) throw new Error(`stage "${stageId}" has no attempt under way`);
    return sent.envelope;
  }

  /** The agent of a stage answers. */
  answer(stageId: string, init: Init<typeof AgentResultSchema> = {}): readonly string[] {
    const envelope = this.envelope(stageId);
    const dispatchId = envelope.execution?.dispatchId ?? "";
    return this.give({
      type: "result",
      dispatchId,
      answer: { kind: "result", result: resultFor(envelope, init) },
    });
  }

  status(stageId: string): string | undefined {
    return this.state?.stages[this.state.plan.indexOf.get(stageId) ?? -1]?.status;
  }

  audited(): readonly string[] {
    return this.audit.map(
      ({ eventType, stageId }) => `${AuditEventType[eventType]}${stageId ? ` ${stageId}` : ""}`,
    );
  }

  openQuestions(): readonly string[] {
    return [...(this.state?.escalations.values() ?? [])].map(({ snapshot }) => snapshot.problem);
  }
}
