import type { Batch, Transition } from "../../ports/store.ts";
import { Conflict } from "../../ports/store-error.ts";
import { misuse } from "../refuse.ts";
import { copy, copyAudit, copyEscalation, copyEvents, copyPipeline } from "./copy-rows.ts";
import type { Kept, KeptPipeline } from "./kept.ts";

/** All or nothing: whatever could throw comes before the first change. */
export function applyBatch(kept: Kept, batch: Batch): void {
  refuseStale(kept, batch.transitions);
  refuseGaps(kept, batch);
  refuseUsedIds(kept, batch);

  for (const id of batch.carriedOut) kept.outbox.delete(id);
  for (const { pipelineId, timerId, atMs } of batch.rung) {
    const timers = kept.pipelines.get(pipelineId)?.timers;
    if (timers?.get(timerId) === atMs) timers.delete(timerId);
  }
  for (const transition of batch.transitions) applyTransition(kept, transition);
  for (const row of batch.fleet) kept.fleet.push({ ...row });
  for (const row of batch.audit) kept.tenant(row.tenantId).audit.push(copyAudit(row));
  for (const row of batch.events) {
    const tenant = kept.tenant(row.tenantId);
    tenant.events.push(copyEvents(row));
    tenant.eventSequence = row.lastSequence;
  }
  for (const row of batch.turns) {
    const key = `${row.dispatchId}\n${row.turnIndex}`;
    if (!kept.turns.has(key)) kept.turns.set(key, { ...row });
  }
  for (const row of batch.callsBegun) {
    const key = `${row.dispatchId}\n${row.callId}`;
    if (!kept.calls.has(key)) kept.calls.set(key, { ...row });
  }
  for (const { dispatchId, callId } of batch.callsEnded) kept.calls.delete(`${dispatchId}\n${callId}`);
  for (const row of batch.held) {
    if (row.text === "") kept.held.delete(row.dispatchId);
    else kept.held.set(row.dispatchId, { ...row });
  }
}

function refuseStale({ pipelines }: Kept, transitions: readonly Transition[]): void {
  for (const { pipelineId, expectedVersion } of transitions) {
    const version = pipelines.get(pipelineId)?.version ?? 0;
    if (version !== expectedVersion) throw new Conflict(pipelineId, expectedVersion, version);
  }
}

function refuseGaps({ heads }: Kept, { audit, events }: Batch): void {
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

function refuseUsedIds({ outbox }: Kept, { transitions, carriedOut }: Batch): void {
  const free = new Set(carriedOut);
  const given = new Set<number>();
  for (const { commands } of transitions) {
    for (const { id } of commands) {
      if (given.has(id) || (outbox.has(id) && !free.has(id))) throw misuse(`command ${id} is there already`);
      given.add(id);
    }
  }
}

function applyTransition(kept: Kept, transition: Transition): void {
  const { pipelineId, records, contents, row } = transition;
  const pipeline = kept.pipelines.get(pipelineId) ?? emptyPipeline(kept, transition);
  const { tenantId, templateId, pipelineName, createdAtMs, taskId, riskTier, labels } = pipeline.row;
  const lasting = { tenantId, templateId, pipelineName, createdAtMs, taskId, riskTier, labels };
  pipeline.row = { ...copyPipeline(row), ...lasting };
  pipeline.version += records.count;
  pipeline.texts.push(records.text);
  for (const { digest, bytes } of contents) {
    if (!pipeline.contents.has(digest)) pipeline.contents.set(digest, copy(bytes));
  }
  for (const { timerId, atMs } of transition.timersSet) pipeline.timers.set(timerId, atMs);
  for (const timerId of transition.timersCleared) pipeline.timers.delete(timerId);
  for (const command of transition.commands) kept.outbox.set(command.id, { ...command });
  for (const escalation of transition.escalations) {
    kept.escalations.set(escalation.escalationId, copyEscalation(escalation));
  }
  for (const task of transition.tasks) {
    const headHash = task.headHash ?? pipeline.tasks.get(task.stageId)?.headHash;
    pipeline.tasks.set(task.stageId, { ...task, headHash });
  }
  kept.newestMs = Math.max(kept.newestMs, row.createdAtMs, row.updatedAtMs);
}

function emptyPipeline(kept: Kept, { pipelineId, row }: Transition): KeptPipeline {
  const pipeline = { row, version: 0, texts: [], contents: new Map(), timers: new Map(), tasks: new Map() };
  kept.pipelines.set(pipelineId, pipeline);
  return pipeline;
}
