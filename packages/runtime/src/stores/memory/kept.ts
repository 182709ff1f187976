import type {
  AuditRow,
  CallRow,
  CheckpointRow,
  EscalationRow,
  EventRow,
  FleetRow,
  HeldRow,
  PipelineRow,
  StoredCommand,
  TaskRow,
  TurnRow,
} from "../../ports/store.ts";

/** Everything that is stored. Only `applyBatch` changes it. */
export class Kept {
  readonly pipelines = new Map<string, KeptPipeline>();
  /** By tenant. */
  readonly heads = new Map<string, KeptTenant>();
  readonly outbox = new Map<number, StoredCommand>();
  readonly escalations = new Map<string, EscalationRow>();
  readonly fleet: FleetRow[] = [];
  /** By attempt and index. */
  readonly turns = new Map<string, TurnRow>();
  /** By attempt and call. */
  readonly calls = new Map<string, CallRow>();
  /** By attempt. */
  readonly held = new Map<string, HeldRow>();
  newestMs = 0;

  /** Makes one for a tenant that has none. */
  tenant(tenantId: string): KeptTenant {
    const known = this.heads.get(tenantId);
    if (known !== undefined) return known;
    const tenant = { audit: [], events: [], eventSequence: 0n, checkpoints: [], nodes: new Map() };
    this.heads.set(tenantId, tenant);
    return tenant;
  }
}

export interface KeptPipeline {
  row: PipelineRow;
  version: number;
  readonly texts: string[];
  readonly contents: Map<string, Uint8Array>;
  /** When they ring, by id. */
  readonly timers: Map<string, number>;
  /** By stage. */
  readonly tasks: Map<string, TaskRow>;
}

export interface KeptTenant {
  readonly audit: AuditRow[];
  readonly events: EventRow[];
  eventSequence: bigint;
  readonly checkpoints: CheckpointRow[];
  /** By level and index. */
  readonly nodes: Map<string, Uint8Array>;
}
