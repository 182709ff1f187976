import { EscalationKind } from "@baton/contract";
import type { HubSupervisor } from "../hub/hub-supervisor.ts";
import {
  type Actor,
  branchesAt,
  type OpenEscalation,
  type PipelineRecord,
  type PipelineState,
  planBranches,
  type ReviewVerdict,
  replay,
} from "../kernel.ts";
import type { Shape } from "../scenario/shape.ts";
import { ancestorsIn } from "../scenario/shape.ts";
import type { Sim } from "../sim.ts";
import type { RetryingClient } from "./client.ts";

const bo: Actor = { kind: "human", id: "bo" };

/** Answers per pipeline; repeated questions are left to the operator. */
const maxAnswers = 12;

export interface PeopleParts {
  readonly sim: Sim;
  readonly client: RetryingClient;
  readonly supervisor: HubSupervisor;
  readonly states: ReadonlyMap<string, PipelineState>;
  readonly shapes: ReadonlyMap<string, Shape>;
  readonly journals: ReadonlyMap<string, readonly PipelineRecord[]>;
}

/** People and reviewers who answer after any time or never, and interfere without being asked. */
export class People {
  private readonly sim: Sim;
  private readonly client: RetryingClient;
  private readonly supervisor: HubSupervisor;
  private readonly states: ReadonlyMap<string, PipelineState>;
  private readonly shapes: ReadonlyMap<string, Shape>;
  private readonly journals: ReadonlyMap<string, readonly PipelineRecord[]>;
  private readonly answers = new Map<string, number>();

  constructor({ sim, client, supervisor, states, shapes, journals }: PeopleParts) {
    this.journals = journals;
    this.sim = sim;
    this.client = client;
    this.supervisor = supervisor;
    this.states = states;
    this.shapes = shapes;
  }

  /** A review by an agent. */
  review(pipelineId: string, stageId: string, dispatchId: string): void {
    if (this.sim.faults.strikes("person never answers")) return;
    const reviewer: Actor = { kind: "agent", id: "reviewer-1", packId: "reviewer" };
    this.later(() => this.judge(pipelineId, stageId, dispatchId, reviewer));
  }

  asked(pipelineId: string, escalation: OpenEscalation): void {
    if (this.sim.faults.strikes("person never answers")) return;
    this.later(() => this.answer(pipelineId, escalation));
  }

  private answer(pipelineId: string, { id, kind, stage, dispatchId, snapshot }: OpenEscalation): void {
    const { random, faults } = this.sim;
    const answered = (this.answers.get(pipelineId) ?? 0) + 1;
    this.answers.set(pipelineId, answered);
    if (answered > maxAnswers) return;
    if (kind === EscalationKind.REVIEW && stage !== undefined) {
      const stageId = this.states.get(pipelineId)?.plan.stages[stage]?.id ?? "";
      this.judge(pipelineId, stageId, dispatchId, bo);
      return;
    }
    const hopeless = kind === EscalationKind.BUDGET && snapshot.blocking && random.chance(0.4);
    if (hopeless || faults.strikes("abort", 0.5)) {
      this.client.call(pipelineId, { type: "resolve", escalationId: id, resolution: "abort", by: bo });
      return;
    }
    const offered = snapshot.options.filter((option) => option !== "abort");
    const resolution = faults.strikes("odd answer")
      ? "perhaps"
      : offered.length > 0
        ? random.pick(offered)
        : "wait";
    if (resolution === "resume" && random.chance(0.5)) {
      this.client.call(pipelineId, { type: "resume", reason: "go on", by: bo });
      return;
    }
    this.client.call(pipelineId, { type: "resolve", escalationId: id, resolution, reason: "so", by: bo });
  }

  private judge(pipelineId: string, stageId: string, dispatchId: string, by: Actor): void {
    const { faults } = this.sim;
    if (faults.strikes("wrong reviewer")) {
      this.client.call(pipelineId, {
        ...{ type: "review", stageId, dispatchId, verdict: { kind: "approve" }, reason: "mine" },
        by: this.wrongReviewer(dispatchId),
      });
    }
    this.client.call(pipelineId, {
      type: "review",
      stageId,
      dispatchId,
      verdict: this.verdict(pipelineId, stageId),
      reason: "as I see it",
      by,
    });
  }

  /** The author, another instance of its pack, or an agent without a pack. */
  private wrongReviewer(dispatchId: string): Actor {
    const { instanceId = "dev-1", packId = "dev" } =
      this.supervisor.current?.fleet.dispatches.get(dispatchId) ?? {};
    return this.sim.random.pick<Actor>([
      { kind: "agent", id: instanceId, packId },
      { kind: "agent", id: `${packId}-9`, packId },
      { kind: "agent", id: `${packId}-9` },
    ]);
  }

  private verdict(pipelineId: string, stageId: string): ReviewVerdict {
    const { faults, random } = this.sim;
    if (faults.strikes("review failed")) return { kind: "fail" };
    if (!faults.strikes("review rejected")) return { kind: "approve" };
    const plan = this.states.get(pipelineId)?.plan;
    const place = plan?.indexOf.get(stageId) ?? 0;
    const earlier = [...ancestorsIn(this.shapes.get(pipelineId) ?? [], place)];
    const target =
      random.chance(0.5) || earlier.length === 0 ? undefined : plan?.stages[random.pick(earlier)]?.id;
    return { kind: "reject", targetStageId: target, instructions: ["do it better"] };
  }

  /** Actions that nobody asked for. */
  interfere(pipelineId: string): void {
    const { sim, client } = this;
    const reason = "as I like";
    if (sim.faults.strikes("pause")) {
      client.call(pipelineId, { type: "pause", reason, by: bo });
      if (sim.random.chance(0.8))
        sim.clock.after(sim.random.int(100, 30_000), () =>
          client.call(pipelineId, { type: "resume", reason, by: bo }),
        );
    }
    if (sim.faults.strikes("rewind to a transition")) this.walk(pipelineId);
    if (sim.faults.strikes("abort", 0.2)) client.call(pipelineId, { type: "abort", reason, by: bo });
    if (!sim.faults.stopped) sim.clock.after(sim.random.int(1_000, 15_000), () => this.interfere(pipelineId));
  }

  /** Several rewinds may follow each other. */
  private walk(pipelineId: string): void {
    this.rewind(pipelineId);
    const { clock, random, faults } = this.sim;
    if (!faults.stopped && random.chance(0.5)) clock.after(random.int(1, 3_000), () => this.walk(pipelineId));
  }

  /** Rewinds to any point, also of an ended pipeline, and also to abandoned history. */
  private rewind(pipelineId: string): void {
    const records = this.journals.get(pipelineId) ?? [];
    if (records.length < 2) return;
    const version = this.pointIn(records);
    const past = replay(records.slice(0, version));
    if (!past) return;
    const [now, then] = [records.length, version].map((at) => branchesAt(past, records, at));
    const branches = planBranches(now ?? new Map(), then ?? new Map());
    const rewindId = `${pipelineId} ${records.length} ${version}`;
    // The hub refuses it when the pipeline has changed meanwhile.
    const seen = records.length;
    const asked = {
      rewindId,
      past,
      seen,
      branches,
      atRisk: [],
      discard: false,
      reason: "undo",
      by: bo,
    };
    this.client.call(pipelineId, { type: "rewind", ...asked });
  }

  /** Any version, or the last one before an earlier rewind. */
  private pointIn(records: readonly PipelineRecord[]): number {
    const { random } = this.sim;
    const ends = records.flatMap(({ type }, before) => (type === "restored" ? [before] : []));
    return ends.length > 0 && random.chance(0.4) ? random.pick(ends) : random.int(1, records.length - 1);
  }

  private later(action: () => void): void {
    this.sim.clock.after(this.sim.random.int(500, 25_000), action);
  }
}
