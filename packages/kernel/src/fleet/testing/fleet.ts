import {
  type AgentHeartbeat,
  AgentHeartbeatSchema,
  type AgentManifest,
  AgentManifestSchema,
  HealthStatus,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { decideFleet } from "../decide/decide-fleet.ts";
import type { FleetDecision } from "../decide/decision.ts";
import type { FleetInput } from "../decide/input.ts";
import { defaultFleetSettings, type FleetSettings } from "../settings.ts";
import { evolveFleet } from "../state/evolve-fleet.ts";
import { emptyFleet, type FleetState } from "../state/fleet-state.ts";
import type { FleetRecord } from "../state/record.ts";
import { viewFleet } from "../view/view-fleet.ts";

/** A fleet with a manual clock, which remembers its records. */
export class Fleet {
  readonly state: FleetState = emptyFleet();
  readonly view = viewFleet(this.state);
  readonly records: FleetRecord[] = [];
  readonly settings: FleetSettings;
  /** Called with each record before and after it is folded. */
  onRecord: (record: FleetRecord, fold: () => void) => void = (_, fold) => fold();
  nowMs = 0;

  constructor(settings: Partial<FleetSettings> = {}) {
    this.settings = { ...defaultFleetSettings, ...settings };
  }

  take(input: FleetInput): FleetDecision {
    const decision = this.decide(input);
    for (const record of decision.records) {
      this.records.push(record);
      this.onRecord(record, () => evolveFleet(this.state, record));
    }
    return decision;
  }

  decide(input: FleetInput): FleetDecision {
    const { nowMs, settings } = this;
    return decideFleet(this.state, input, { nowMs, orchestratorVersion: "1.4.0", settings });
  }

  register(init: MessageInitShape<typeof AgentManifestSchema> = {}): FleetDecision {
    return this.take({ kind: "register", manifest: manifestOf(init) });
  }

  beat(instanceId: string, init: MessageInitShape<typeof AgentHeartbeatSchema> = {}): FleetDecision {
    return this.take({ kind: "heartbeat", heartbeat: heartbeatOf(instanceId, init) });
  }

  dispatch(dispatchId: string, instanceId: string, taskType = "review", packId = "dev"): FleetDecision {
    return this.take({ kind: "dispatched", dispatchId, packId, instanceId, taskType });
  }

  settle(dispatchId: string, outcome: "succeeded" | "failed" | "withdrawn" = "succeeded"): FleetDecision {
    return this.take({ kind: "settled", dispatchId, outcome });
  }

  result(instanceId: string, valid: boolean, error = ""): FleetDecision {
    return this.take({ kind: "result", packId: "dev", instanceId, valid, error });
  }

  tick(): FleetDecision {
    return this.take({ kind: "tick" });
  }

  /** Ids of the best candidates of pack "dev", over all its profiles. */
  best(n = 10): readonly string[] {
    return [...this.view.profiles("dev", this.nowMs)]
      .flatMap((profile) => profile.best(n, this.nowMs))
      .map(({ instanceId }) => instanceId);
  }
}

export function manifestOf(init: MessageInitShape<typeof AgentManifestSchema> = {}): AgentManifest {
  return create(AgentManifestSchema, {
    packId: "dev",
    packVersion: "1.0.0",
    capabilitySchemaVersion: "1.0.0",
    minOrchestratorVersion: "1.0.0",
    ...init,
  } as MessageInitShape<typeof AgentManifestSchema>);
}

/** For a healthy instance with capacity for four tasks. */
export function heartbeatOf(
  instanceId: string,
  init: MessageInitShape<typeof AgentHeartbeatSchema> = {},
): AgentHeartbeat {
  return create(AgentHeartbeatSchema, {
    packId: "dev",
    packVersion: "1.0.0",
    instanceId,
    health: { status: HealthStatus.HEALTHY },
    capacity: { maxTasks: 4 },
    ...init,
  } as MessageInitShape<typeof AgentHeartbeatSchema>);
}
