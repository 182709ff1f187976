import { ActorType, type AuditEntry, AuditEntrySchema } from "@baton/contract";
import {
  attemptsUnderWay,
  emptyFleet,
  type FleetAudit,
  type FleetDecision,
  type FleetInput,
  type FleetNews,
  type FleetProblem,
  type FleetRecord,
  type FleetSettings,
  type FleetState,
  type FleetView,
  fleetInputsFor,
  openRoutingPolicy,
  type PipelineState,
  type RoutingPolicy,
  recordDurability,
  viewFleet,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { readFleetRecord, writeFleetRecord } from "../journal/codec.ts";
import type { FleetRow } from "../ports/store.ts";
import type { Kernel } from "./kernel.ts";
import type { DriverSettings } from "./settings.ts";
import type { HubAuditEvent } from "./work.ts";

/** What came of telling a fleet something. */
export interface FleetOutcome {
  readonly problem: FleetProblem | undefined;
  /** To be stored with whatever it was told for. */
  readonly rows: readonly FleetRow[];
  readonly audit: readonly AuditEntry[];
  /** Attempts whose agent is gone. */
  readonly lost: readonly LostAttempt[];
  /** Whether somebody who waits for an agent may have one now. */
  readonly changed: boolean;
}

interface LostAttempt {
  readonly dispatchId: string;
  readonly reason: string;
}

/** What came of an input that changes nothing, as most results of good agents do. */
const unmoved: FleetOutcome = { problem: undefined, rows: [], audit: [], lost: [], changed: false };

type FleetKernel = Pick<Kernel, "decideFleet" | "evolveFleet">;

/** A fleet for each tenant: agents of one never see tasks of another. */
export class Fleets {
  readonly #states = new Map<string, FleetState>();
  readonly #views = new Map<string, FleetView>();
  /** Until another manifest becomes known. */
  readonly #openPolicies = new Map<string, RoutingPolicy>();
  readonly #settings: DriverSettings;
  #withBreaker: FleetSettings | undefined;
  readonly #uuid: () => string;
  readonly #kernel: FleetKernel;

  constructor(settings: DriverSettings, uuid: () => string, kernel: FleetKernel) {
    this.#settings = settings;
    this.#uuid = uuid;
    this.#kernel = kernel;
  }

  state(tenantId: string): FleetState {
    const known = this.#states.get(tenantId);
    if (known) return known;
    const fresh = emptyFleet();
    this.#states.set(tenantId, fresh);
    return fresh;
  }

  /** It shows the fleet as it is when it is asked, so that one is enough for all decisions. */
  view(tenantId: string): FleetView {
    const known = this.#views.get(tenantId);
    if (known) return known;
    const view = viewFleet(this.state(tenantId));
    this.#views.set(tenantId, view);
    return view;
  }

  /** The policy people wrote, or the one that follows from the packs that are known. */
  policy(tenantId: string): RoutingPolicy {
    const written = this.#settings.policy();
    if (written) return written;
    const known = this.#openPolicies.get(tenantId);
    if (known) return known;
    const packs = [...this.state(tenantId).packs.values()];
    const policy = openRoutingPolicy(packs.flatMap(({ manifests }) => [...manifests.values()]));
    this.#openPolicies.set(tenantId, policy);
    return policy;
  }

  tenants(): readonly string[] {
    return [...this.#states.keys()];
  }

  /** Only what has to survive was stored; the rest comes again with the agents. */
  replay({ tenantId, text }: FleetRow): void {
    this.#fold(tenantId, readFleetRecord(text));
  }

  /** What was under way in an earlier life of the hub is known from the pipelines. */
  recover(state: PipelineState, nowMs: number): void {
    for (const { stage, sent } of attemptsUnderWay(state)) {
      const { dispatchId, choice } = sent;
      const { packId, instanceId } = choice;
      const taskType = state.plan.stages[stage]?.taskType ?? "";
      const input = {
        kind: "dispatched",
        dispatchId,
        packId,
        instanceId,
        taskType,
        recovered: true,
      } as const;
      this.tell(state.tenantId, input, nowMs);
    }
  }

  hear(tenantId: string, news: FleetNews, nowMs: number): readonly FleetOutcome[] {
    return fleetInputsFor(news).map((input) => this.tell(tenantId, input, nowMs));
  }

  /** What would be decided now. */
  decide(tenantId: string, input: FleetInput, nowMs: number): FleetDecision {
    const { orchestratorVersion } = this.#settings;
    const settings = this.#fleetSettings();
    return this.#kernel.decideFleet(this.state(tenantId), input, { nowMs, orchestratorVersion, settings });
  }

  tell(tenantId: string, input: FleetInput, nowMs: number): FleetOutcome {
    const { records, audit, problem } = this.decide(tenantId, input, nowMs);
    if (records.length === 0 && audit.length === 0) return problem ? { ...unmoved, problem } : unmoved;
    const rows: FleetRow[] = [];
    const lost: LostAttempt[] = [];
    let changed = false;
    for (const record of records) {
      this.#fold(tenantId, record);
      if (recordDurability[record.kind] === "stored") rows.push({ tenantId, text: writeFleetRecord(record) });
      if (record.kind === "lease-ended") lost.push(...lostBy(record));
      if (record.kind !== "dispatched") changed = true;
    }
    return { problem, rows, audit: audit.map((one) => this.#entry(tenantId, one, nowMs)), lost, changed };
  }

  /** The breakers are set by the policy that people wrote (A §3.1 `admission.circuit_breaker`). */
  #fleetSettings(): FleetSettings {
    const { fleet, policy } = this.#settings;
    const breaker = policy()?.admission.circuitBreaker ?? fleet.breaker;
    const withoutBreaker = this.#settings.withoutBreaker?.();
    const before = this.#withBreaker;
    if (before && before.breaker === breaker && before.withoutBreaker === withoutBreaker) return before;
    this.#withBreaker = { ...fleet, breaker, ...(withoutBreaker && { withoutBreaker }) };
    return this.#withBreaker;
  }

  #fold(tenantId: string, record: FleetRecord): void {
    this.#kernel.evolveFleet(this.state(tenantId), record);
    if (record.kind === "manifest-registered") this.#openPolicies.delete(tenantId);
  }

  /** An entry about the hub itself. */
  hubEntry(tenantId: string, event: HubAuditEvent, nowMs: number): AuditEntry {
    return this.#entry(tenantId, event, nowMs, "hub");
  }

  #entry(
    tenantId: string,
    { actor, ...audit }: FleetAudit | HubAuditEvent,
    nowMs: number,
    about: "fleet" | "hub" = "fleet",
  ): AuditEntry {
    const { schemaVersion } = this.#settings;
    return create(AuditEntrySchema, {
      ...audit,
      auditId: `${about}/${this.#uuid()}`,
      tenantId,
      timestamp: timestampFromMs(nowMs),
      protocolVersion: { schemaVersion, policyVersion: this.policy(tenantId).version },
      actor: actor.type === ActorType.ORCHESTRATOR ? { ...actor, id: "baton" } : actor,
    });
  }
}

function lostBy({ reason: end, lostDispatchIds }: Extract<FleetRecord, { kind: "lease-ended" }>) {
  const reason = end === "expired" ? "its lease has run out" : "its connection broke off";
  return lostDispatchIds.map((dispatchId): LostAttempt => ({ dispatchId, reason }));
}
