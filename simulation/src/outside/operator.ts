import { EscalationKind } from "@baton/contract";
import { hasEnded } from "../checks/decision/ended.ts";
import type { Lives } from "../hub/hub-supervisor.ts";
import type { Actor, PipelineState } from "../kernel.ts";
import type { Sim } from "../sim.ts";
import type { Door } from "./client.ts";

const cy: Actor = { kind: "human", id: "cy" };
const roundMs = 5_000;
/** Whoever has answered this often, and no further stage has completed, gives up on the pipeline: it cannot be helped. */
const patience = 8;

/** When the faults have stopped: somebody goes through all that is open, again and again, and answers it. */
export class CalmPerson {
  private readonly efforts = new Map<string, { completed: number; answers: number }>();
  private readonly sim: Sim;
  private readonly lives: Lives;
  private readonly door: Door;
  private readonly pipelineIds: readonly string[];

  constructor(sim: Sim, lives: Lives, door: Door, pipelineIds: readonly string[]) {
    this.sim = sim;
    this.lives = lives;
    this.door = door;
    this.pipelineIds = pipelineIds;
  }

  /** Only what the hub shows as open is answered; a pipeline that waits for nothing anybody can see stays where it is. */
  goRound(): void {
    for (const [packId, pack] of this.lives.current?.fleet.packs ?? []) {
      for (const [instanceId, { conduct }] of pack.instances) {
        if (conduct.standing !== "quarantined") continue;
        void this.lives.tell({ kind: "restore", packId, instanceId, by: "ada", reason: "mended" });
      }
    }
    for (const pipelineId of this.pipelineIds) {
      void this.lives.show(pipelineId).then((state) => {
        if (state && !hasEnded(state)) this.look(pipelineId, state);
      });
    }
    this.sim.clock.after(roundMs, () => this.goRound());
  }

  private look(pipelineId: string, state: PipelineState): void {
    const [open] = state.escalations.values();
    const reviewed = state.stages.findIndex(
      (stage) => stage.status === "DISPATCHED" && stage.phase.kind === "reviewing",
    );
    const paused = state.life.status === "PAUSED";
    if (!open && reviewed === -1 && !paused) return;
    const answered = this.countAnswers(pipelineId, state);
    if (answered > patience) {
      this.door.call(pipelineId, { type: "abort", reason: "it cannot be helped", by: cy });
    } else if (reviewed !== -1) this.approve(pipelineId, state, reviewed);
    else if (open && !(paused && resumes.has(open.kind))) {
      const resolution = open.snapshot.options.find((option) => option !== "abort") ?? "wait";
      this.door.call(pipelineId, {
        type: "resolve",
        escalationId: open.id,
        resolution,
        reason: "so",
        by: cy,
      });
    } else this.door.call(pipelineId, { type: "resume", reason: "go on", by: cy });
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
    this.door.call(pipelineId, {
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
