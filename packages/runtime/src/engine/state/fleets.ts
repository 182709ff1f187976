import { ActorType, type AuditEntry, AuditEntrySchema } from "@baton/contract";
import {
  activeAttempts,
  emptyFleet,
  type FleetAudit,
  type FleetDecision,
  type FleetInput,
  type FleetProblem,
  type FleetRecord,
  type FleetReport,
  type FleetSettings,
  type FleetState,
  type FleetView,
  inputsFromReport,
  leaseEndReasons,
  openRoutingPolicy,
  type PipelineState,
  type RoutingPolicy,
  recordDurability,
  viewFleet,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { HubAuditEvent } from "../../audit/hub-events.ts";
import { readFleetRecord, writeFleetRecord } from "../../journal/codec.ts";
import type { FleetRow } from "../../ports/store.ts";
import type { Kernel } from "../kernel.ts";
import type { EngineSettings } from "../settings.ts";

/** The result of a fleet input. */
export interface FleetOutcome {
  readonly problem: FleetProblem | undefined;
  /** Stored in the transaction of the input. */
  readonly rows: readonly FleetRow[];
  readonly audit: readonly AuditEntry[];
  /** Attempts whose agent is gone. */
  readonly lost: readonly LostAttempt[];
  /** Whether an agent may be free for a waiting stage. */
  readonly changed: boolean;
}

interface LostAttempt {
  readonly dispatchId: string;
  readonly reason: string;
}

/** For inputs that change nothing, as most results do. */
const unchanged: FleetOutcome = { problem: undefined, rows: [], audit: [], lost: [], changed: false };

type FleetKernel = Pick<Kernel, "decideFleet" | "evolveFleet">;

/** A fleet per tenant: the agents of one tenant never see the tasks of another. */
export class Fleets {
  readonly #states = new Map<string, FleetState>();
  readonly #views = new Map<string, FleetView>();
  /** Derived from the manifests; discarded when a manifest is registered. */
  readonly #openPolicies = new Map<string, RoutingPolicy>();
  readonly #settings: EngineSettings;
  #withBreaker: FleetSettings | undefined;
  readonly #uuid: () => string;
  readonly #kernel: FleetKernel;

  constructor(settings: EngineSettings, uuid: () => string, kernel: FleetKernel) {
    this.#settings = settings;
    this.#uuid = uuid;
    this.#kernel = kernel;
  }

  state(tenantId: string): FleetState {
    const known = this.#states.get(tenantId);
    if (known) return known;
    const created = emptyFleet();
    this.#states.set(tenantId, created);
    return created;
  }

  /** The view reads the current state, so one serves all decisions. */
  view(tenantId: string): FleetView {
    const known = this.#views.get(tenantId);
    if (known) return known;
    const view = viewFleet(this.state(tenantId));
    this.#views.set(tenantId, view);
    return view;
  }

  /** The configured policy, or the one derived from the registered packs. */
  policy(tenantId: string): RoutingPolicy {
    const configured = this.#settings.policy();
    if (configured) return configured;
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

  /** Only durable facts are stored; connecting agents report the others again. */
  replay({ tenantId, text }: FleetRow): void {
    this.#fold(tenantId, readFleetRecord(text));
  }

  /** Running attempts are known from the pipelines. */
  recover(state: PipelineState, nowMs: number): void {
    for (const { stage, sent } of activeAttempts(state)) {
      const { dispatchId, choice, sentAtMs } = sent;
      const { packId, instanceId } = choice;
      const taskType = state.plan.stages[stage]?.taskType ?? "";
      const input = {
        kind: "dispatched",
        dispatchId,
        packId,
        instanceId,
        taskType,
        recovered: true,
        sentAtMs,
      } as const;
      this.apply(state.tenantId, input, nowMs);
    }
  }

  applyReport(tenantId: string, report: FleetReport, nowMs: number): readonly FleetOutcome[] {
    return inputsFromReport(report).map((input) => this.apply(tenantId, input, nowMs));
  }

  /** The decision that the kernel would return now; changes nothing. */
  decide(tenantId: string, input: FleetInput, nowMs: number): FleetDecision {
    const { orchestratorVersion } = this.#settings;
    const settings = this.#fleetSettings();
    return this.#kernel.decideFleet(this.state(tenantId), input, { nowMs, orchestratorVersion, settings });
  }

  apply(tenantId: string, input: FleetInput, nowMs: number): FleetOutcome {
    const { records, audit, problem } = this.decide(tenantId, input, nowMs);
    if (records.length === 0 && audit.length === 0) return problem ? { ...unchanged, problem } : unchanged;
    const rows: FleetRow[] = [];
    const lost: LostAttempt[] = [];
    let changed = false;
    for (const record of records) {
      this.#fold(tenantId, record);
      if (recordDurability[record.kind] === "stored") rows.push({ tenantId, text: writeFleetRecord(record) });
      if (record.kind === "lease-ended") lost.push(...lostBy(record));
      if (record.kind !== "dispatched" && record.kind !== "attempt-overturned") changed = true;
    }
    return { problem, rows, audit: audit.map((entry) => this.#entry(tenantId, entry, nowMs)), lost, changed };
  }

  /** The configured policy sets the circuit breakers (A §3.1 `admission.circuit_breaker`). */
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
  const reason = leaseEndReasons[end];
  return lostDispatchIds.map((dispatchId): LostAttempt => ({ dispatchId, reason }));
}
