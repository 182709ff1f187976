import type {
  AuditField,
  AuditRow,
  Batch,
  CallRow,
  CheckpointRow,
  EscalationField,
  EscalationRow,
  EventRow,
  FleetRow,
  HeldRow,
  ListedPipelineRow,
  LostEntries,
  PipelineField,
  PipelineRow,
  Query,
  RecordedEntry,
  Retention,
  Store,
  StoredCommand,
  StoredJournal,
  StoredNode,
  StoredTimer,
  TaskRow,
  TenantHead,
  TreePosition,
  TurnRow,
} from "../../ports/store.ts";
import { StoreUnavailable } from "../../ports/store-error.ts";
import { selectRows } from "../../query/select-rows.ts";
import { CommitQueue } from "../commit-queue.ts";
import { auditFields, escalationFields, pipelineFields } from "../fields.ts";
import { pageSizes } from "../limits.ts";
import { misuse, validateBatch, validateCheckpoint, validateQuery } from "../validate.ts";
import { applyBatch } from "./apply-batch.ts";
import {
  copy,
  copyAudit,
  copyCheckpoint,
  copyEscalation,
  copyEvents,
  copyJournal,
  copyPipeline,
} from "./copy-rows.ts";
import { pruneTables } from "./prune-tables.ts";
import { type PipelineTables, Tables } from "./tables.ts";

/** Keeps everything until the process ends, for tests and trials. It passes the same conformance suite as other stores. */
export function openMemoryStore(): Store {
  return new MemoryStore();
}

class MemoryStore implements Store {
  #tables: Tables | undefined = new Tables();
  readonly #commits = new CommitQueue();

  async commit(batch: Batch): Promise<void> {
    const tables = this.#open();
    await this.#commits.run(async () => {
      validateBatch(batch);
      applyBatch(tables, batch);
    });
  }

  async lastBatch(writer: string): Promise<number> {
    return this.#open().lastBatches.get(writer) ?? 0;
  }

  async heads(): Promise<readonly TenantHead[]> {
    return [...this.#open().heads].map(([tenantId, { audit, eventSequence }]) => {
      const last = audit.at(-1);
      return {
        tenantId,
        auditSequence: last?.sequence ?? 0n,
        auditHash: last && copy(last.hash),
        eventSequence,
      };
    });
  }

  async newestMs(): Promise<number> {
    return this.#open().newestMs;
  }

  async *openJournals(): AsyncIterable<readonly StoredJournal[]> {
    const open = [...this.#open().pipelines.values()].filter(({ row }) => !row.ended);
    for (let start = 0; start < open.length; start += pageSizes.journals) {
      this.#open();
      const page = open.slice(start, start + pageSizes.journals).filter(({ row }) => !row.ended);
      if (page.length > 0) yield page.map(copyJournal);
    }
  }

  async outbox(): Promise<readonly StoredCommand[]> {
    return [...this.#open().outbox.values()].sort((a, b) => a.id - b.id);
  }

  async timers(): Promise<readonly StoredTimer[]> {
    return [...this.#open().pipelines.values()].flatMap(timersOf);
  }

  async *fleet(): AsyncIterable<readonly FleetRow[]> {
    for (let start = 0; start < this.#open().fleet.length; start += pageSizes.fleetRows) {
      yield this.#open().fleet.slice(start, start + pageSizes.fleetRows);
    }
  }

  async journal(pipelineId: string): Promise<StoredJournal | undefined> {
    const pipeline = this.#open().pipelines.get(pipelineId);
    return pipeline && copyJournal(pipeline);
  }

  async pipeline(pipelineId: string): Promise<PipelineRow | undefined> {
    const pipeline = this.#open().pipelines.get(pipelineId);
    return pipeline && copyPipeline(pipeline.row);
  }

  async pipelines(query: Query<PipelineField>): Promise<readonly ListedPipelineRow[]> {
    const { pipelines, escalations } = this.#open();
    validateQuery(query, pipelineFields);
    const open = escalations.values().filter(({ resolvedAtMs }) => resolvedAtMs === undefined);
    const waiting = new Set(open.map(({ pipelineId }) => pipelineId));
    const rows = pipelines
      .values()
      .map(({ row }) => ({ ...row, waitsForPerson: waiting.has(row.pipelineId) }));
    return selectRows(rows, query, (row, field) => row[field]).map(copyPipeline);
  }

  async escalation(escalationId: string): Promise<EscalationRow | undefined> {
    const row = this.#open().escalations.get(escalationId);
    return row && copyEscalation(row);
  }

  async escalations(query: Query<EscalationField>): Promise<readonly EscalationRow[]> {
    const { escalations } = this.#open();
    validateQuery(query, escalationFields);
    const read = (row: EscalationRow, field: EscalationField) =>
      field === "resolved" ? row.resolvedAtMs !== undefined : row[field];
    return selectRows(escalations.values(), query, read).map(copyEscalation);
  }

  async auditEntries(query: Query<AuditField>): Promise<readonly AuditRow[]> {
    const { heads } = this.#open();
    validateQuery(query, auditFields);
    const rows = heads.get(query.tenantId)?.audit ?? [];
    return selectRows(rows, query, (row, field) => row[field]).map(copyAudit);
  }

  async auditRecord(tenantId: string, after: bigint, limit: number): Promise<readonly RecordedEntry[]> {
    const rows = this.#open().heads.get(tenantId)?.audit ?? [];
    const first = Number(after < 0n ? 0n : after);
    return rows.slice(first, first + limit).map((row) => {
      const { sequence, hash, entry } = copyAudit(row);
      return { sequence, hash, entry };
    });
  }

  /** Nothing removes entries from memory. */
  async lostEntries(): Promise<readonly LostEntries[]> {
    this.#open();
    return [];
  }

  async keepCheckpoint(row: CheckpointRow, nodes: readonly StoredNode[]): Promise<void> {
    const tables = this.#open();
    validateCheckpoint(row, nodes);
    const tenant = tables.tenant(row.tenantId);
    const isNext = row.sequence > (tenant.checkpoints.at(-1)?.sequence ?? 0n);
    const isNew = !nodes.some((node) => tenant.nodes.has(placeOf(node)));
    if (!isNext || !isNew) throw misuse(`a checkpoint at ${row.sequence} does not go on from the last one`);
    tenant.checkpoints.push(copyCheckpoint(row));
    for (const node of nodes) tenant.nodes.set(placeOf(node), copy(node.hash));
  }

  async checkpoints(tenantId: string, after: bigint, limit: number): Promise<readonly CheckpointRow[]> {
    const rows = this.#open().heads.get(tenantId)?.checkpoints ?? [];
    return rows
      .filter(({ sequence }) => sequence > after)
      .slice(0, limit)
      .map(copyCheckpoint);
  }

  async lastCheckpoint(tenantId: string): Promise<CheckpointRow | undefined> {
    const row = this.#open().heads.get(tenantId)?.checkpoints.at(-1);
    return row && copyCheckpoint(row);
  }

  async treeNodes(
    tenantId: string,
    places: readonly TreePosition[],
  ): Promise<readonly (Uint8Array | undefined)[]> {
    const nodes = this.#open().heads.get(tenantId)?.nodes;
    return places.map((place) => {
      const hash = nodes?.get(placeOf(place));
      return hash && copy(hash);
    });
  }

  async events(tenantId: string, after: bigint, limit: number): Promise<readonly EventRow[]> {
    const rows = this.#open().heads.get(tenantId)?.events ?? [];
    const found: EventRow[] = [];
    let count = 0;
    for (const row of rows) {
      if (row.lastSequence <= after) continue;
      if (count >= limit) break;
      const firstNew = row.firstSequence > after ? row.firstSequence : after + 1n;
      count += Number(row.lastSequence - firstNew) + 1;
      found.push(copyEvents(row));
    }
    return found;
  }

  async turns(dispatchId: string, after: number, limit: number): Promise<readonly TurnRow[]> {
    return [...this.#open().turns.values()]
      .filter((row) => row.dispatchId === dispatchId && row.turnIndex > after)
      .sort((a, b) => a.turnIndex - b.turnIndex)
      .slice(0, limit);
  }

  async hasTurn(dispatchId: string, turnIndex: number): Promise<boolean> {
    return this.#open().turns.has(`${dispatchId}\n${turnIndex}`);
  }

  async tasks(pipelineId: string): Promise<readonly TaskRow[]> {
    const rows = [...(this.#open().pipelines.get(pipelineId)?.tasks.values() ?? [])];
    return rows.sort((a, b) => (a.stageId < b.stageId ? -1 : 1));
  }

  async openCalls(): Promise<readonly CallRow[]> {
    return [...this.#open().calls.values()].sort((a, b) => a.atMs - b.atMs);
  }

  async heldBack(): Promise<readonly HeldRow[]> {
    return [...this.#open().held.values()];
  }

  async prune(keep: Retention): Promise<boolean> {
    pruneTables(this.#open(), keep);
    return false;
  }

  async backup(path: string): Promise<void> {
    this.#open();
    throw new StoreUnavailable(
      "BATON-STORE-007",
      `a store in memory has no backup; "${path}" was not written`,
      {
        fix: "start the hub with a directory for its store",
        mayPass: false,
      },
    );
  }

  async check(): Promise<readonly string[]> {
    this.#open();
    return [];
  }

  async close(): Promise<void> {
    this.#tables = undefined;
  }

  #open(): Tables {
    if (this.#tables !== undefined) return this.#tables;
    throw new StoreUnavailable("BATON-STORE-006", "the store in memory was closed", {
      fix: "start the hub again; what was in memory is gone",
      mayPass: false,
    });
  }
}

function placeOf({ level, index }: TreePosition): string {
  return `${level}/${index}`;
}

function timersOf({ row, timers }: PipelineTables): StoredTimer[] {
  return [...timers].map(([timerId, atMs]) => ({ pipelineId: row.pipelineId, timerId, atMs }));
}
