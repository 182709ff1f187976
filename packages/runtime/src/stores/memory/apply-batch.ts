import type { Batch, Transition } from "../../ports/store.ts";
import { Conflict, OutOfSequence } from "../../ports/store-error.ts";
import { misuse } from "../validate.ts";
import {
  copy,
  copyAudit,
  copyEscalation,
  copyEvents,
  copyKnowledge,
  copyPipeline,
  copyStep,
} from "./copy-rows.ts";
import type { PipelineTables, Tables } from "./tables.ts";

/** All or nothing: everything that can throw comes before the first change. */
export function applyBatch(tables: Tables, batch: Batch): void {
  refuseOutOfSequence(tables, batch);
  refuseStale(tables, batch.transitions);
  refuseGaps(tables, batch);
  refuseUsedIds(tables, batch);

  tables.lastBatches.set(batch.id.writer, batch.id.sequence);
  for (const id of batch.completedCommands) tables.outbox.delete(id);
  for (const { pipelineId, timerId, atMs } of batch.firedTimers) {
    const timers = tables.pipelines.get(pipelineId)?.timers;
    if (timers?.get(timerId) === atMs) timers.delete(timerId);
  }
  for (const transition of batch.transitions) applyTransition(tables, transition);
  for (const row of batch.fleet) tables.fleet.push({ ...row });
  for (const row of batch.audit) tables.tenant(row.tenantId).audit.push(copyAudit(row));
  for (const row of batch.events) {
    const tenant = tables.tenant(row.tenantId);
    tenant.events.push(copyEvents(row));
    tenant.eventSequence = row.lastSequence;
  }
  for (const row of batch.turns) {
    const key = `${row.dispatchId}\n${row.turnIndex}`;
    if (!tables.turns.has(key)) tables.turns.set(key, { ...row });
  }
  for (const row of batch.callsBegun) {
    const key = `${row.dispatchId}\n${row.callId}`;
    if (!tables.calls.has(key)) tables.calls.set(key, { ...row });
  }
  for (const { dispatchId, callId } of batch.callsEnded) tables.calls.delete(`${dispatchId}\n${callId}`);
  for (const row of batch.held) {
    if (row.text === "") tables.held.delete(row.dispatchId);
    else tables.held.set(row.dispatchId, { ...row });
  }
  for (const row of batch.spend) tables.spend.add(row);
  for (const row of batch.steps) tables.steps.set(`${row.dispatchId}\n${row.ordinal}`, copyStep(row));
  for (const row of batch.knowledge)
    tables.knowledge.push(copyKnowledge({ ...row, sequence: tables.knowledge.length + 1 }));
}

function refuseOutOfSequence({ lastBatches }: Tables, { id: { writer, sequence } }: Batch): void {
  const last = lastBatches.get(writer) ?? 0;
  if (sequence !== last + 1) throw new OutOfSequence(writer, sequence, last);
}

function refuseStale({ pipelines }: Tables, transitions: readonly Transition[]): void {
  for (const { pipelineId, expectedVersion } of transitions) {
    const version = pipelines.get(pipelineId)?.version ?? 0;
    if (version !== expectedVersion) throw new Conflict(pipelineId, expectedVersion, version);
  }
}

function refuseGaps({ heads }: Tables, { audit, events }: Batch): void {
  const ends = new Map<string, bigint>();
  for (const { tenantId, sequence } of audit) {
    const end = ends.get(tenantId) ?? heads.get(tenantId)?.audit.at(-1)?.sequence ?? 0n;
    if (sequence !== end + 1n)
      throw misuse(`audit entry ${sequence} of "${tenantId}" does not follow ${end}`);
    ends.set(tenantId, sequence);
  }
  ends.clear();
  for (const { tenantId, firstSequence, lastSequence } of events) {
    const end = ends.get(tenantId) ?? heads.get(tenantId)?.eventSequence ?? 0n;
    if (firstSequence !== end + 1n) {
      throw misuse(`event ${firstSequence} of "${tenantId}" does not follow ${end}`);
    }
    ends.set(tenantId, lastSequence);
  }
}

function refuseUsedIds({ outbox }: Tables, { transitions, completedCommands }: Batch): void {
  const free = new Set(completedCommands);
  const given = new Set<number>();
  for (const { commands } of transitions) {
    for (const { id } of commands) {
      if (given.has(id) || (outbox.has(id) && !free.has(id))) throw misuse(`command ${id} is there already`);
      given.add(id);
    }
  }
}

function applyTransition(tables: Tables, transition: Transition): void {
  const { pipelineId, records, contents, row } = transition;
  const pipeline = tables.pipelines.get(pipelineId) ?? emptyPipeline(tables, transition);
  const { tenantId, templateId, pipelineName, createdAtMs, taskId, riskTier } = pipeline.row;
  const lasting = { tenantId, templateId, pipelineName, createdAtMs, taskId, riskTier };
  pipeline.row = { ...copyPipeline(row), ...lasting };
  pipeline.version += records.count;
  pipeline.texts.push(records.text);
  for (const { digest, bytes } of contents) {
    if (!pipeline.contents.has(digest)) pipeline.contents.set(digest, copy(bytes));
  }
  for (const { timerId, atMs } of transition.timersSet) pipeline.timers.set(timerId, atMs);
  for (const timerId of transition.timersCleared) pipeline.timers.delete(timerId);
  for (const command of transition.commands) tables.outbox.set(command.id, { ...command });
  for (const escalation of transition.escalations) {
    tables.escalations.set(escalation.escalationId, copyEscalation(escalation));
  }
  for (const task of transition.tasks) {
    const headHash = task.headHash ?? pipeline.tasks.get(task.stageId)?.headHash;
    pipeline.tasks.set(task.stageId, { ...task, headHash });
  }
  tables.newestMs = Math.max(tables.newestMs, row.createdAtMs, row.updatedAtMs);
}

function emptyPipeline(tables: Tables, { pipelineId, row }: Transition): PipelineTables {
  const pipeline = { row, version: 0, texts: [], contents: new Map(), timers: new Map(), tasks: new Map() };
  tables.pipelines.set(pipelineId, pipeline);
  return pipeline;
}
