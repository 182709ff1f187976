import type { DatabaseSync } from "node:sqlite";
import { LRUCache } from "lru-cache";
import type {
  AuditRow,
  BatchId,
  CheckpointRow,
  Content,
  EscalationRow,
  Retention,
  SpendRow,
  StoredNode,
} from "../../../ports/store.ts";
import { Conflict, OutOfSequence } from "../../../ports/store-error.ts";
import { EncryptedBatch, type EncryptedRecords } from "../crypto/encrypted-batch.ts";
import { IdCipher } from "../crypto/id-cipher.ts";
import type { StoreCipher } from "../crypto/store-cipher.ts";
import { integer, text } from "../format/columns.ts";
import { sumOf, sumOfKnowledge, sumOfStep } from "../format/journal-sum.ts";
import { type AuditBlock, packAudit } from "../format/pack-audit.ts";
import type { BatchToWrite, TransitionToWrite } from "../format/packed-batch.ts";
import { digestsIn } from "../format/packed-contents.ts";
import { type KnownPipeline, KnownPipelines } from "./known-pipelines.ts";
import { Pruner } from "./pruner.ts";
import { prepareWrites, type WriteStatements } from "./write-statements.ts";

/** Tenants whose row numbers are cached. */
const maxTenants = 10_000;

/**
 * Writes a batch in one transaction. It belongs to a connection and caches row numbers between batches; `forget` has to be
 * called after another connection has written.
 */
export class BatchWriter {
  readonly #db: DatabaseSync;
  readonly #sql: WriteStatements;
  readonly #pipelines = new KnownPipelines();
  readonly #tenants = new LRUCache<string, number>({ max: maxTenants });
  /** Digests of the contents of pipelines that the batch creates. */
  readonly #digestsOfNew = new Map<string, Set<string>>();
  readonly #encrypted: EncryptedBatch;
  readonly #ids: IdCipher;
  #newestMs = 0;
  #pruner: Pruner | undefined;

  constructor(db: DatabaseSync, cipher: StoreCipher) {
    this.#db = db;
    this.#encrypted = new EncryptedBatch(cipher);
    this.#ids = new IdCipher(cipher);
    this.#sql = prepareWrites(db);
  }

  write(batch: BatchToWrite): void {
    this.#inTransaction(() => this.#writeAll(batch));
    this.#forgetEnded(batch);
  }

  keep(row: CheckpointRow, nodes: readonly StoredNode[]): void {
    this.#inTransaction(() => {
      const tenant = this.#tenant(row.tenantId);
      this.#sql.addCheckpoint.run(tenant, row.sequence, row.checkpoint, row.publicKey, row.peaks);
      for (const { level, index, hash } of nodes) this.#sql.addNode.run(tenant, level, index, hash);
    });
  }

  /** Removes some old rows. Returns whether there may be more. */
  prune(keep: Retention): boolean {
    this.#pruner ??= new Pruner(this.#db);
    const pruner = this.#pruner;
    return this.#inTransaction(() => pruner.step(keep));
  }

  /** Keeps the progress of pruning, which only one connection does. */
  forget(): void {
    this.#pipelines.clear();
    this.#tenants.clear();
    this.#newestMs = 0;
  }

  #inTransaction<Result>(work: () => Result): Result {
    this.#sql.begin.run();
    try {
      const result = work();
      this.#sql.commit.run();
      return result;
    } catch (error) {
      this.forget();
      this.#pruner = undefined;
      this.#rollBack();
      throw error;
    }
  }

  /** Ended pipelines rarely change again. */
  #forgetEnded({ transitions }: BatchToWrite): void {
    for (const { pipelineId, row } of transitions) if (row.ended) this.#pipelines.forget(pipelineId);
  }

  /** After some errors SQLite has rolled back already. A connection that cannot roll back is abandoned by its owner. */
  #rollBack(): void {
    try {
      if (this.#db.isTransaction) this.#sql.rollback.run();
    } catch {}
  }

  #writeAll(batch: BatchToWrite): void {
    const { transitions, fleet, audit, events, completedCommands, firedTimers } = batch;
    const sql = this.#sql;
    const encrypted = this.#encrypted;
    this.#digestsOfNew.clear();
    encrypted.encrypt(batch, (transition) => this.#newContents(transition));
    this.#writeId(batch.id);
    for (const id of completedCommands) sql.removeCommand.run(id);
    for (const { pipelineId, timerId, atMs } of firedTimers) {
      const known = this.#find(pipelineId);
      if (known !== undefined)
        sql.ringTimer.run(known.n, this.#ids.encryptTimerId(pipelineId, timerId), atMs);
    }
    const audited = auditedIn(audit);
    for (const transition of transitions) {
      this.#writeTransition(transition, encrypted.nextRecords(), audited.get(transition.row.tenantId));
    }
    this.#writeNewest(transitions);
    for (const { tenantId } of fleet) sql.addFleet.run(this.#tenant(tenantId), encrypted.next());
    packAudit(audit, (block) => this.#writeAudit(block));
    for (const { tenantId, firstSequence, lastSequence, atMs, events: bytes } of events) {
      sql.addEvents.run(this.#tenant(tenantId), firstSequence, lastSequence, atMs, bytes);
    }
    this.#writeReports(batch);
    for (const { tenantId, topic, key, atMs } of batch.knowledge) {
      const content = encrypted.next();
      const sum = sumOfKnowledge(topic, key, content);
      sql.addKnowledge.run(this.#tenant(tenantId), topic, key, atMs, content, sum);
    }
    for (const row of batch.spend) this.#writeSpend(row);
  }

  #writeId({ writer, sequence }: BatchId): void {
    const sql = this.#sql;
    const isFirst = sequence === 1;
    const { changes } = isFirst ? sql.addWriter.run(writer) : sql.setLastBatch.run(writer, sequence);
    if (changes === 1) return;
    throw new OutOfSequence(writer, sequence, integer(sql.lastBatch.get(writer)?.last_batch ?? 0));
  }

  /** Turns, tool calls, held-back text and steps. */
  #writeReports({ turns, callsBegun, callsEnded, held, steps }: BatchToWrite): void {
    const [sql, ids] = [this.#sql, this.#ids];
    for (const row of turns) {
      const { tenantId, pipelineId, dispatchId, turnIndex, envelope, eventId, packId, atMs } = row;
      const tenant = this.#tenant(tenantId);
      const n = this.#number(pipelineId, tenant);
      sql.addTurn.run(tenant, n, dispatchId, turnIndex, envelope, eventId, packId, atMs);
    }
    for (const { tenantId, pipelineId, dispatchId, callId, tool, atMs } of callsBegun) {
      const tenant = this.#tenant(tenantId);
      const [of, call, name] = [ids.encrypt(dispatchId), ids.encrypt(callId), ids.encrypt(tool)];
      sql.beginCall.run(tenant, this.#number(pipelineId, tenant), of, call, name, atMs);
    }
    for (const { dispatchId, callId } of callsEnded)
      sql.endCall.run(ids.encrypt(dispatchId), ids.encrypt(callId));
    for (const { tenantId, pipelineId, dispatchId, text } of held) {
      const tenant = this.#tenant(tenantId);
      const [attempt, encrypted] = [ids.encrypt(dispatchId), this.#encrypted.next()];
      if (text.length === 0) sql.deleteHeldBack.run(attempt);
      else sql.holdBack.run(attempt, tenant, this.#number(pipelineId, tenant), encrypted);
    }
    for (const { tenantId, pipelineId, dispatchId, ordinal, atMs, valueBytes } of steps) {
      const tenant = this.#tenant(tenantId);
      const [info, value] = [this.#encrypted.next(), this.#encrypted.next()];
      const attempt = ids.encrypt(dispatchId);
      const n = this.#number(pipelineId, tenant);
      const sum = sumOfStep(info, value);
      sql.setStep.run(tenant, n, attempt, ordinal, atMs, info, value, valueBytes, sum);
    }
  }

  #writeSpend(row: SpendRow): void {
    this.#sql.addSpend.run(
      this.#tenant(row.tenantId),
      row.day,
      row.packId,
      row.templateId,
      row.provider,
      row.model,
      row.calls,
      row.inputTokens,
      row.outputTokens,
      row.cacheReadTokens,
      row.cacheWriteTokens,
      row.reasoningTokens,
      row.costMicroUsd,
      Number(row.costUnknown),
    );
  }

  #writeTransition(
    transition: TransitionToWrite,
    { directory, encrypted }: EncryptedRecords,
    audited: Audited | undefined,
  ): void {
    const [sql, ids] = [this.#sql, this.#ids];
    const { pipelineId, expectedVersion } = transition;
    const known = this.#movePipeline(transition);
    const { n } = known;
    const sum = sumOf(directory, encrypted);
    const [first, last] = [audited?.first ?? null, audited?.last ?? null];
    sql.addRecords.run(n, expectedVersion + 1, known.version, directory, sum, encrypted, first, last);
    for (const { id } of transition.commands) sql.addCommand.run(id, n, this.#encrypted.next());
    for (const { timerId, atMs } of transition.timersSet)
      sql.setTimer.run(n, ids.encryptTimerId(pipelineId, timerId), atMs);
    for (const timerId of transition.timersCleared)
      sql.clearTimer.run(n, ids.encryptTimerId(pipelineId, timerId));
    for (const escalation of transition.escalations) this.#writeEscalation(n, escalation);
    const { updatedAtMs } = transition.row;
    for (const { stageId, state, headHash } of transition.tasks) {
      sql.setTask.run(n, stageId, state, headHash ?? null, updatedAtMs);
    }
  }

  /** The contents that the journal does not have yet. */
  #newContents({ pipelineId, contents }: TransitionToWrite): readonly Content[] {
    if (contents.length === 0) return [];
    const known = this.#find(pipelineId);
    const before = known?.digests?.size ?? 0;
    const digests = known?.digests ?? (known ? this.#readDigests(known.n) : new Set<string>());
    if (known) known.digests = digests;
    else this.#digestsOfNew.set(pipelineId, digests);
    const added = contents.filter(({ digest }) => digests.size < digests.add(digest).size);
    if (known) this.#pipelines.countDigests(digests.size - before);
    return added;
  }

  #readDigests(n: number): Set<string> {
    const rows = this.#sql.directories.all(n);
    return new Set(rows.flatMap(({ directory }) => digestsIn(text(directory))));
  }

  /** Returns the pipeline after the change. */
  #movePipeline({ pipelineId, expectedVersion, records, row }: TransitionToWrite): KnownPipeline {
    const known = this.#find(pipelineId);
    const actualVersion = known?.version ?? 0;
    if (actualVersion !== expectedVersion) throw new Conflict(pipelineId, expectedVersion, actualVersion);
    const version = expectedVersion + records.count;
    if (known === undefined) return this.#addPipeline(pipelineId, version, row);

    const { n } = known;
    const changes = this.#updateRow(known, version, row);
    // Only a process without the lock can have changed it.
    if (changes !== 1) throw new Conflict(pipelineId, expectedVersion, this.#readVersion(pipelineId));
    if (row.view !== undefined) this.#sql.setView.run(n, row.view);
    else if (known.ended) this.#sql.removeView.run(n);
    known.version = version;
    known.status = row.status;
    known.ended = row.ended;
    return known;
  }

  #updateRow(known: KnownPipeline, version: number, row: TransitionToWrite["row"]): number | bigint {
    const sql = this.#sql;
    const { n } = known;
    if (known.version === 0) {
      const tenant = this.#tenant(row.tenantId);
      const { status, templateId, pipelineName, createdAtMs, updatedAtMs, taskId, riskTier, labels, agents } =
        row;
      known.agents = agents;
      known.labels = labels;
      return sql.makePipeline.run(
        tenant,
        version,
        status,
        Number(row.ended),
        templateId,
        pipelineName,
        createdAtMs,
        updatedAtMs,
        taskId,
        riskTier,
        labels,
        agents,
        n,
      ).changes;
    }
    if (known.labels !== row.labels) {
      sql.setLabels.run(row.labels, n);
      known.labels = row.labels;
    }
    if (known.agents !== row.agents) {
      sql.setAgents.run(row.agents, n);
      known.agents = row.agents;
    }
    // Mostly neither the status nor the end changes, and no index is written.
    if (known.status === row.status && known.ended === row.ended) {
      return sql.advancePipeline.run(version, row.updatedAtMs, n, known.version).changes;
    }
    const ended = Number(row.ended);
    return sql.changePipeline.run(version, row.updatedAtMs, row.status, ended, n, known.version).changes;
  }

  #addPipeline(pipelineId: string, version: number, row: TransitionToWrite["row"]): KnownPipeline {
    const { status, ended, templateId, pipelineName, createdAtMs, updatedAtMs } = row;
    const { taskId, riskTier, labels, agents } = row;
    const tenant = this.#tenant(row.tenantId);
    const { lastInsertRowid } = this.#sql.addPipeline.run(
      pipelineId,
      tenant,
      version,
      status,
      Number(ended),
      templateId,
      pipelineName,
      createdAtMs,
      updatedAtMs,
      taskId,
      riskTier,
      labels,
      agents,
    );
    const n = Number(lastInsertRowid);
    if (row.view !== undefined) this.#sql.setView.run(n, row.view);
    const digests = this.#digestsOfNew.get(pipelineId) ?? new Set<string>();
    const known = { n, version, status, ended, agents, labels, digests };
    this.#pipelines.add(pipelineId, known);
    this.#pipelines.countDigests(digests.size);
    return known;
  }

  #writeEscalation(n: number, row: EscalationRow): void {
    this.#sql.setEscalation.run(
      row.escalationId,
      this.#tenant(row.tenantId),
      n,
      row.stageId,
      row.kind,
      row.riskTier,
      row.raisedAtMs,
      row.resolvedAtMs ?? null,
      row.escalation,
    );
  }

  #writeAudit(block: AuditBlock): void {
    const tenant = this.#tenant(block.tenantId);
    this.#sql.addAudit.run(
      tenant,
      block.firstSequence,
      block.lastSequence,
      block.pipelineId === "" ? null : this.#number(block.pipelineId, tenant),
      block.oldestMs,
      block.newestMs,
      block.kinds,
      Number(block.hasOwnIds),
      block.directory,
      block.entries,
    );
  }

  /** The row number of a pipeline. Rows may name a pipeline that was never created; it gets a number too. */
  #number(pipelineId: string, tenant: number): number {
    const known = this.#find(pipelineId);
    if (known !== undefined) return known.n;
    const { lastInsertRowid } = this.#sql.addPipeline.run(
      ...[pipelineId, tenant, 0, "", 1, "", "", 0, 0],
      ...["", "", "", ""],
    );
    return Number(lastInsertRowid);
  }

  #writeNewest(transitions: readonly TransitionToWrite[]): void {
    let newestMs = this.#newestMs;
    for (const { row } of transitions) {
      if (row.updatedAtMs > newestMs) newestMs = row.updatedAtMs;
      if (row.createdAtMs > newestMs) newestMs = row.createdAtMs;
    }
    if (newestMs === this.#newestMs) return;
    this.#sql.setNewest.run(newestMs);
    this.#newestMs = newestMs;
  }

  #tenant(tenantId: string): number {
    const known = this.#tenants.get(tenantId);
    if (known !== undefined) return known;
    const found = this.#sql.findTenant.get(tenantId);
    const n = found === undefined ? this.#sql.addTenant.run(tenantId).lastInsertRowid : integer(found.n);
    this.#tenants.set(tenantId, Number(n));
    return Number(n);
  }

  #find(pipelineId: string): KnownPipeline | undefined {
    const known = this.#pipelines.get(pipelineId);
    if (known !== undefined) return known;
    const row = this.#sql.findPipeline.get(pipelineId);
    if (row === undefined) return undefined;
    const ended = integer(row.ended) === 1;
    const [n, version] = [integer(row.n), integer(row.version)];
    const found = {
      n,
      version,
      status: text(row.status),
      ended,
      agents: text(row.agents),
      labels: text(row.labels),
      digests: undefined,
    };
    this.#pipelines.add(pipelineId, found);
    return found;
  }

  #readVersion(pipelineId: string): number {
    return integer(this.#sql.findPipeline.get(pipelineId)?.version);
  }
}

interface Audited {
  readonly first: bigint;
  readonly last: bigint;
}

/** The audit entries of a batch, by tenant. */
function auditedIn(audit: readonly AuditRow[]): ReadonlyMap<string, Audited> {
  const found = new Map<string, Audited>();
  for (const { tenantId, sequence } of audit) {
    found.set(tenantId, { first: found.get(tenantId)?.first ?? sequence, last: sequence });
  }
  return found;
}
