import { EscalationKind } from "@baton/contract";
import { hasEnded } from "../checks/decision/ended.ts";
import type { HubSupervisor } from "../hub/hub-supervisor.ts";
import type { Actor, PipelineState } from "../kernel.ts";
import type { Sim } from "../sim.ts";
import type { RetryingClient } from "./client.ts";

const cy: Actor = { kind: "human", id: "cy" };
const roundMs = 5_000;
/** After so many answers without a further completed stage, the pipeline is aborted. */
const maxAnswers = 8;

/** After the faults have stopped: answers everything that is open, periodically. */
export class Operator {
  private readonly efforts = new Map<string, { completed: number; answers: number }>();
  private readonly sim: Sim;
  private readonly supervisor: HubSupervisor;
  private readonly client: RetryingClient;
  private readonly pipelineIds: readonly string[];

  constructor(sim: Sim, supervisor: HubSupervisor, client: RetryingClient, pipelineIds: readonly string[]) {
    this.sim = sim;
    this.supervisor = supervisor;
    this.client = client;
    this.pipelineIds = pipelineIds;
  }

  /** Answers only what the hub lists as open, so that a pipeline with an invisible wait is found. */
  answerPeriodically(): void {
    for (const [packId, pack] of this.supervisor.current?.fleet.packs ?? []) {
      for (const [instanceId, { conduct }] of pack.instances) {
        if (conduct.standing !== "quarantined") continue;
        void this.supervisor.enqueueFleet({
          kind: "restore",
          packId,
          instanceId,
          by: "ada",
          reason: "repaired",
        });
      }
    }
    for (const pipelineId of this.pipelineIds) {
      void this.supervisor.read(pipelineId).then((state) => {
        if (state && !hasEnded(state)) this.look(pipelineId, state);
      });
    }
    this.sim.clock.after(roundMs, () => this.answerPeriodically());
  }

  private look(pipelineId: string, state: PipelineState): void {
    const [open] = state.escalations.values();
    const reviewed = state.stages.findIndex(
      (stage) => stage.status === "DISPATCHED" && stage.phase.kind === "reviewing",
    );
    const paused = state.life.status === "PAUSED";
    if (!open && reviewed === -1 && !paused) return;
    const answered = this.countAnswers(pipelineId, state);
    if (answered > maxAnswers) {
      this.client.call(pipelineId, { type: "abort", reason: "no progress", by: cy });
    } else if (reviewed !== -1) this.approve(pipelineId, state, reviewed);
    else if (open && !(paused && resumes.has(open.kind))) {
      const resolution = open.snapshot.options.find((option) => option !== "abort") ?? "wait";
      this.client.call(pipelineId, {
        type: "resolve",
        escalationId: open.id,
        resolution,
        reason: "so",
        by: cy,
      });
    } else this.client.call(pipelineId, { type: "resume", reason: "go on", by: cy });
  }

  private countAnswers(pipelineId: string, { tally }: PipelineState): number {
    const before = this.efforts.get(pipelineId);
    const answers = before?.completed === tally.COMPLETED ? before.answers + 1 : 1;
    this.efforts.set(pipelineId, { completed: tally.COMPLETED, answers });
    return answers;
  }

  private approve(pipelineId: string, state: PipelineState, place: number): void {
    const stage = state.stages[place];
    if (stage?.status !== "DISPATCHED" || stage.phase.kind !== "reviewing") return;
    this.client.call(pipelineId, {
      type: "review",
      stageId: state.plan.stages[place]?.id ?? "",
      dispatchId: stage.phase.sent.dispatchId,
      verdict: { kind: "approve" },
      reason: "good",
      by: cy,
    });
  }
}

const resumes = new Set([EscalationKind.FAILURE, EscalationKind.DEADLINE]);
