import {
  ActorType,
  type AuditActor,
  type AuditEntry,
  type AuditEventType,
  type AuditSnapshot,
  AuditSnapshotSchema,
  type ProtocolVersion,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type FreshDispatch, overlayFleet } from "../../dispatch/overlay-fleet.ts";
import type { FleetView } from "../../fleet/fleet-view.ts";
import { type Allowance, addAmounts, noAmounts } from "../../spend-limits.ts";
import { timestampOf } from "../../times.ts";
import type { World } from "../../world.ts";
import type { PipelinePlan } from "../plan/plan.ts";
import type { StagePlan } from "../plan/plan-stage.ts";
import { evolve } from "../records/evolve.ts";
import { type Move, movesOf } from "../records/moves.ts";
import { affectsStages, type PipelineRecord, type RecordOf } from "../records/record.ts";
import { created } from "../records/run.ts";
import { spendIn } from "../records/spends.ts";
import { stageAt } from "../state/fold.ts";
import type { Sent, StageState } from "../state/stage-state.ts";
import { grantedTo, type PipelineState } from "../state/state.ts";
import { heldWorkspaces, preparesWorkspaces } from "../state/workspace.ts";
import type { Command, Decision } from "./command.ts";
import { deliveriesOf } from "./deliveries.ts";
import type { Actor } from "./input.ts";
import { reviewCommands } from "./review-commands.ts";

/**
 * A decision in progress. Each record is folded in at once, so that the next step sees it. Used within one call of
 * `decide`.
 */
export class Draft {
  readonly world: World;
  private readonly before: PipelineState | undefined;
  private readonly startVersion: number;
  private readonly fresh: FreshDispatch[] = [];
  private current: PipelineState | undefined;
  private readonly records: PipelineRecord[] = [];
  private readonly moves: Move[] = [];
  private readonly audit: AuditEntry[] = [];
  private readonly commands: Command[] = [];
  /** What agents have reported to this decision. */
  private spent = noAmounts;
  /** The timer that fired: it no longer exists. */
  private firedTimer: string | undefined;

  /** Shared by all entries of the decision and frozen: the audit chain encodes a frozen value once. */
  private timestamp: Timestamp | undefined;
  private protocolVersion: ProtocolVersion | undefined;

  constructor(state: PipelineState | undefined, world: World) {
    this.before = state;
    this.current = state;
    this.world = world;
    this.startVersion = state?.version ?? 0;
  }

  get state(): PipelineState {
    if (!this.current) throw new Error("the pipeline does not exist yet");
    return this.current;
  }

  /** The fleet, with the dispatches of this decision. */
  get fleet(): FleetView {
    return overlayFleet(this.world.fleet, this.fresh);
  }

  /** Whether any record affects a stage. */
  get hasMoved(): boolean {
    return this.records.some(affectsStages);
  }

  /** The limits of the tenant, with what this decision has spent and given already. */
  get allowance(): Allowance | undefined {
    const { allowance } = this.world;
    if (!allowance) return undefined;
    const spent = this.spent;
    const held = addAmounts(grantedTo(this.state), grantedTo(this.before), -1);
    return {
      ...allowance,
      spentToday: addAmounts(allowance.spentToday, spent),
      spentThisMonth: addAmounts(allowance.spentThisMonth, spent),
      held: addAmounts(allowance.held, held),
    };
  }

  get nowMs(): number {
    return this.world.nowMs;
  }

  stage(index: number): StageState {
    return stageAt(this.state, index);
  }

  plan(index: number): StagePlan {
    return this.state.plan.stages[index] as StagePlan;
  }

  /** The first record, with the accepted plan. */
  create(record: RecordOf<"created">, plan: PipelinePlan): void {
    this.fold(record, created(record, plan));
  }

  record(record: PipelineRecord): void {
    this.fold(record, evolve(this.current, record));
    if (record.type === "dispatched") {
      const { packId, instanceId } = record.choice;
      this.fresh.push({ packId, instanceId, taskType: record.question.taskType });
    }
  }

  private fold(record: PipelineRecord, after: PipelineState): void {
    const spend = spendIn(this.current, record);
    if (spend) this.spent = addAmounts(this.spent, spend.spent);
    this.records.push(record);
    for (const move of movesOf(this.current, record, after)) this.moves.push(move);
    this.current = after;
  }

  command(command: Command): void {
    this.commands.push(command);
  }

  timerFired(timerId: string): void {
    this.firedTimer = timerId;
  }

  setTimer(timerId: string, atMs: number): void {
    this.command({ type: "set-timer", timerId, atMs });
  }

  clearTimer(timerId: string): void {
    if (timerId !== this.firedTimer) this.command({ type: "clear-timer", timerId });
  }

  /**
   * An entry of A §5.4; the same decision always gives the same id. An object literal, because `create` takes three times
   * as long and every decision has several.
   */
  note(eventType: AuditEventType, action: string, detail: AuditDetail = {}): void {
    const { state } = this;
    const { stage, sent, dispatchId = "", actor = orchestrator, rationale = "", snapshot } = detail;
    const at = stage === undefined ? undefined : this.plan(stage);
    this.timestamp ??= Object.freeze(timestampOf(this.nowMs));
    this.protocolVersion ??= versionsOf(this.world);
    this.audit.push({
      $typeName: "vasini.agent.v1.AuditEntry",
      auditId: `${state.id}/${this.startVersion}.${this.audit.length}`,
      eventType,
      timestamp: this.timestamp,
      protocolVersion: this.protocolVersion,
      traceId: state.traceId,
      tenantId: state.tenantId,
      pipelineId: state.id,
      stageId: at?.id ?? "",
      dispatchId: sent?.dispatchId ?? dispatchId,
      attemptNumber: sent?.attempt ?? (stage === undefined ? 0 : this.stage(stage).attempt),
      packId: sent?.choice.packId ?? "",
      actor: auditActor(actor),
      action,
      rationale,
      snapshot: snapshot && auditSnapshot(snapshot),
      sequence: 0n,
    });
  }

  /** Releases the workspaces that this decision has ended the use of. */
  private releasedWorkspaces(): readonly Command[] {
    const { before, state } = this;
    if (!before || before === state || !preparesWorkspaces(state)) return [];
    const held = heldWorkspaces(before);
    if (held.size === 0) return [];
    const stillHeld = heldWorkspaces(state);
    const repository = state.task.workspace?.repository ?? "";
    return [...held.values()].flatMap(({ stage, attempt, branch }): Command[] => {
      if (stillHeld.has(branch)) return [];
      const dispatchId = `${state.id}/${this.plan(stage).id}/${attempt}`;
      const completed = this.stage(stage).status === "COMPLETED";
      return [{ type: "release-workspace", dispatchId, repository, branch, completed }];
    });
  }

  done(): Decision {
    const { records, audit, state, moves } = this;
    // Releases come first: a workspace of the same name may be prepared again.
    const left = [...this.releasedWorkspaces(), ...reviewCommands(this.before, state)];
    const sent = deliveriesOf(this.before, state, this.world);
    const commands =
      left.length > 0 || sent.length > 0 ? [...left, ...this.commands, ...sent] : this.commands;
    return { accepted: true, records, audit, commands, state, moves };
  }
}

interface AuditDetail {
  readonly stage?: number | undefined;
  readonly sent?: Sent | undefined;
  /** For an attempt that is over. */
  readonly dispatchId?: string;
  readonly actor?: Actor;
  readonly rationale?: string;
  readonly snapshot?: Exclude<AuditSnapshotInit, undefined>;
}

/** A value that is a message already is used as it is. */
function auditSnapshot(snapshot: Exclude<AuditSnapshotInit, undefined>): AuditSnapshot {
  return snapshot.value !== undefined && "$typeName" in snapshot.value
    ? ({ $typeName: "vasini.agent.v1.AuditSnapshot", snapshotPayload: snapshot } as AuditSnapshot)
    : create(AuditSnapshotSchema, { snapshotPayload: snapshot });
}

type AuditSnapshotInit = MessageInitShape<typeof AuditSnapshotSchema>["snapshotPayload"];

/** Cached, because policy and schema rarely change. */
let lastVersions: ProtocolVersion | undefined;

function versionsOf({ schemaVersion, policy }: World): ProtocolVersion {
  if (lastVersions?.schemaVersion === schemaVersion && lastVersions.policyVersion === policy.version)
    return lastVersions;
  lastVersions = Object.freeze<ProtocolVersion>({
    $typeName: "vasini.agent.v1.ProtocolVersion",
    schemaVersion,
    policyVersion: policy.version,
    capabilitySchemaVersion: "",
    packVersion: "",
    minOrchestratorVersion: "",
  });
  return lastVersions;
}

export const orchestrator: Actor = { kind: "orchestrator", id: "baton" };

/** The actor as the audit record names it. */
export function auditActor(actor: Actor): AuditActor {
  return actor === orchestrator ? orchestratorActor : actorOf(actor);
}

function actorOf({ kind, id }: Actor): AuditActor {
  return { $typeName: "vasini.agent.v1.AuditActor", type: actorTypes[kind], id };
}

const actorTypes: Record<Actor["kind"], ActorType> = {
  human: ActorType.HUMAN,
  agent: ActorType.AGENT,
  orchestrator: ActorType.ORCHESTRATOR,
  system: ActorType.SYSTEM,
};

const orchestratorActor: AuditActor = Object.freeze(actorOf(orchestrator));
