import type {
  AuditRow,
  CallRow,
  CheckpointRow,
  EscalationRow,
  EventRow,
  FleetRow,
  HeldRow,
  KnowledgeRow,
  PipelineRow,
  StepRow,
  StoredCommand,
  TaskRow,
  TurnRow,
} from "../../ports/store.ts";
import { SpendTable } from "./spend-table.ts";

/** Everything stored. */
export class Tables {
  readonly pipelines = new Map<string, PipelineTables>();
  /** By tenant. */
  readonly heads = new Map<string, TenantTables>();
  readonly outbox = new Map<number, StoredCommand>();
  readonly escalations = new Map<string, EscalationRow>();
  readonly fleet: FleetRow[] = [];
  /** By attempt and index. */
  readonly turns = new Map<string, TurnRow>();
  /** By attempt and call. */
  readonly calls = new Map<string, CallRow>();
  /** By attempt. */
  readonly held = new Map<string, HeldRow>();
  /** By attempt and ordinal. */
  readonly steps = new Map<string, StepRow>();
  /** In the order of their sequences. */
  readonly knowledge: KnowledgeRow[] = [];
  /** By writer. */
  readonly lastBatches = new Map<string, number>();
  readonly spend = new SpendTable();
  newestMs = 0;

  /** Created when the tenant has none. */
  tenant(tenantId: string): TenantTables {
    const known = this.heads.get(tenantId);
    if (known !== undefined) return known;
    const tenant = { audit: [], events: [], eventSequence: 0n, checkpoints: [], nodes: new Map() };
    this.heads.set(tenantId, tenant);
    return tenant;
  }
}

export interface PipelineTables {
  row: PipelineRow;
  version: number;
  readonly texts: string[];
  readonly contents: Map<string, Uint8Array>;
  /** Due times, by id. */
  readonly timers: Map<string, number>;
  /** By stage. */
  readonly tasks: Map<string, TaskRow>;
}

export interface TenantTables {
  readonly audit: AuditRow[];
  readonly events: EventRow[];
  eventSequence: bigint;
  readonly checkpoints: CheckpointRow[];
  /** By level and index. */
  readonly nodes: Map<string, Uint8Array>;
}
