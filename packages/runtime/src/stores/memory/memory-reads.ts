import type { EscalationField, EscalationRow, EventRow, TreePosition } from "../../ports/store.ts";
import { selectRows } from "../../query/select-rows.ts";
import type { StoreReads } from "../reads.ts";
import {
  copy,
  copyAudit,
  copyCheckpoint,
  copyEscalation,
  copyEvents,
  copyJournal,
  copyKnowledge,
  copyPipeline,
  copyStep,
} from "./copy-rows.ts";
import type { Tables } from "./tables.ts";

export function memoryReads(tables: Tables): StoreReads {
  const { pipelines, heads, escalations, turns, calls } = tables;
  return {
    lastBatch: (writer) => tables.lastBatches.get(writer) ?? 0,
    heads: () =>
      [...heads].map(([tenantId, { audit, eventSequence }]) => {
        const last = audit.at(-1);
        return {
          tenantId,
          auditSequence: last?.sequence ?? 0n,
          auditHash: last && copy(last.hash),
          eventSequence,
        };
      }),
    newestMs: () => tables.newestMs,
    outbox: () => [...tables.outbox.values()].sort((a, b) => a.id - b.id),
    timers: () =>
      [...pipelines].flatMap(([pipelineId, { timers }]) =>
        [...timers].map(([timerId, atMs]) => ({ pipelineId, timerId, atMs })),
      ),
    journal: (pipelineId) => {
      const pipeline = pipelines.get(pipelineId);
      return pipeline && copyJournal(pipeline);
    },
    openCalls: () => [...calls.values()].sort((a, b) => a.atMs - b.atMs),
    heldBack: () => [...tables.held.values()],

    spentSince: (day) => tables.spend.since(day),
    spend: (query) => tables.spend.query(query),
    pipeline: (pipelineId) => {
      const pipeline = pipelines.get(pipelineId);
      return pipeline && copyPipeline(pipeline.row);
    },
    pipelines: (query) => {
      const open = escalations.values().filter(({ resolvedAtMs }) => resolvedAtMs === undefined);
      const waiting = new Set(open.map(({ pipelineId }) => pipelineId));
      const rows = pipelines
        .values()
        .map(({ row }) => ({ ...row, waitsForPerson: waiting.has(row.pipelineId) }));
      return selectRows(rows, query, (row, field) => row[field]).map(copyPipeline);
    },
    escalation: (escalationId) => {
      const row = escalations.get(escalationId);
      return row && copyEscalation(row);
    },
    escalations: (query) => {
      const read = (row: EscalationRow, field: EscalationField) =>
        field === "resolved" ? row.resolvedAtMs !== undefined : row[field];
      return selectRows(escalations.values(), query, read).map(copyEscalation);
    },
    events: (tenantId, after, limit) => {
      const found: EventRow[] = [];
      let count = 0;
      for (const row of heads.get(tenantId)?.events ?? []) {
        if (row.lastSequence <= after) continue;
        if (count >= limit) break;
        const firstNew = row.firstSequence > after ? row.firstSequence : after + 1n;
        count += Number(row.lastSequence - firstNew) + 1;
        found.push(copyEvents(row));
      }
      return found;
    },
    turns: (dispatchId, after, limit) =>
      [...turns.values()]
        .filter((row) => row.dispatchId === dispatchId && row.turnIndex > after)
        .sort((a, b) => a.turnIndex - b.turnIndex)
        .slice(0, limit),
    hasTurn: (dispatchId, turnIndex) => turns.has(`${dispatchId}\n${turnIndex}`),
    steps: (dispatchId, after, limit, valueBytes) => {
      const rows = tables.steps
        .values()
        .filter((row) => row.dispatchId === dispatchId && row.ordinal > after)
        .toArray()
        .sort((a, b) => a.ordinal - b.ordinal)
        .slice(0, limit)
        .map(copyStep);
      if (valueBytes === 0) return rows.map((row) => ({ ...row, value: new Uint8Array() }));
      let bytes = 0;
      return rows.filter((row, place) => {
        bytes += row.valueBytes;
        return place === 0 || bytes <= valueBytes;
      });
    },
    knowledge: ({ tenantId, topic, key, before = Number.MAX_SAFE_INTEGER, limit }) =>
      tables.knowledge
        .filter((row) => row.tenantId === tenantId && row.topic === topic && row.sequence < before)
        .filter((row) => key === undefined || row.key === key)
        .reverse()
        .slice(0, limit)
        .map(copyKnowledge),
    tasks: (pipelineId) => {
      const rows = [...(pipelines.get(pipelineId)?.tasks.values() ?? [])];
      return rows.sort((a, b) => (a.stageId < b.stageId ? -1 : 1));
    },

    auditEntries: (query) =>
      selectRows(heads.get(query.tenantId)?.audit ?? [], query, (row, field) => row[field]).map(copyAudit),
    auditRecord: (tenantId, after, limit) => {
      const first = Number(after < 0n ? 0n : after);
      const rows = heads.get(tenantId)?.audit ?? [];
      return rows.slice(first, first + limit).map((row) => {
        const { sequence, hash, entry } = copyAudit(row);
        return { sequence, hash, entry };
      });
    },
    // Nothing removes entries from memory.
    lostEntries: () => [],
    checkpoints: (tenantId, after, limit) =>
      (heads.get(tenantId)?.checkpoints ?? [])
        .filter(({ sequence }) => sequence > after)
        .slice(0, limit)
        .map(copyCheckpoint),
    lastCheckpoint: (tenantId) => {
      const row = heads.get(tenantId)?.checkpoints.at(-1);
      return row && copyCheckpoint(row);
    },
    treeNodes: (tenantId, positions) => {
      const nodes = heads.get(tenantId)?.nodes;
      return positions.map((position) => {
        const hash = nodes?.get(keyOf(position));
        return hash && copy(hash);
      });
    },
  };
}

export function keyOf({ level, index }: TreePosition): string {
  return `${level}/${index}`;
}
