/** The expected content of a store after some batches, in the simplest form. */

import type {
  Batch,
  CallRow,
  EscalationRow,
  HeldRow,
  PipelineRow,
  StepRow,
  Store,
  StoredCommand,
  TaskRow,
  Transition,
  TurnRow,
} from "@baton/runtime";
import { readAll } from "./under-test.ts";

export interface ModelPipeline {
  row: PipelineRow;
  version: number;
  texts: string[];
  contents: Map<string, Uint8Array>;
}

export class Model {
  readonly pipelines = new Map<string, ModelPipeline>();
  readonly outbox = new Map<number, StoredCommand>();
  /** Times by pipeline and timer. */
  readonly timers = new Map<string, number>();
  readonly escalations = new Map<string, EscalationRow>();
  readonly batches: Batch[] = [];
  /** By pipeline and stage. */
  readonly tasks = new Map<string, TaskRow>();
  /** By attempt and index. */
  readonly turns = new Map<string, TurnRow>();
  /** By attempt and call. */
  readonly calls = new Map<string, CallRow>();
  /** By attempt. */
  readonly held = new Map<string, HeldRow>();

  /** By attempt and ordinal. */
  readonly steps = new Map<string, StepRow>();

  /** By writer. */
  readonly lastBatches = new Map<string, number>();

  lastBatch(writer: string): number {
    return this.lastBatches.get(writer) ?? 0;
  }

  versionOf(pipelineId: string): number {
    return this.pipelines.get(pipelineId)?.version ?? 0;
  }

  apply(batch: Batch): void {
    this.batches.push(batch);
    this.lastBatches.set(batch.id.writer, batch.id.sequence);
    for (const id of batch.completedCommands) this.outbox.delete(id);
    for (const { pipelineId, timerId, atMs } of batch.firedTimers) {
      const key = timerKey(pipelineId, timerId);
      if (this.timers.get(key) === atMs) this.timers.delete(key);
    }
    for (const transition of batch.transitions) this.#move(transition);
    for (const row of batch.turns) {
      const key = `${row.dispatchId} ${row.turnIndex}`;
      if (!this.turns.has(key)) this.turns.set(key, row);
    }
    for (const row of batch.callsBegun) {
      const key = `${row.dispatchId} ${row.callId}`;
      if (!this.calls.has(key)) this.calls.set(key, row);
    }
    for (const { dispatchId, callId } of batch.callsEnded) this.calls.delete(`${dispatchId} ${callId}`);
    for (const row of batch.held) {
      this.held.delete(row.dispatchId);
      if (row.text !== "") this.held.set(row.dispatchId, row);
    }
    for (const row of batch.steps) this.steps.set(`${row.dispatchId} ${row.ordinal}`, row);
  }

  #move({ pipelineId, records, contents, row, ...rest }: Transition): void {
    const before = this.pipelines.get(pipelineId) ?? { version: 0, texts: [], contents: new Map() };
    this.pipelines.set(pipelineId, {
      row,
      version: before.version + records.count,
      texts: [...before.texts, records.text],
      contents: new Map([
        ...contents.map(({ digest, bytes }) => [digest, bytes] as const),
        ...before.contents,
      ]),
    });
    for (const command of rest.commands) this.outbox.set(command.id, command);
    for (const { timerId, atMs } of rest.timersSet) this.timers.set(timerKey(pipelineId, timerId), atMs);
    for (const timerId of rest.timersCleared) this.timers.delete(timerKey(pipelineId, timerId));
    for (const escalation of rest.escalations) this.escalations.set(escalation.escalationId, escalation);
    for (const task of rest.tasks) {
      const key = `${pipelineId} ${task.stageId}`;
      this.tasks.set(key, { ...task, headHash: task.headHash ?? this.tasks.get(key)?.headHash });
    }
  }

  /** Equals `readEverything` of a store with the same batches. */
  everything(): unknown {
    const tenants = new Set(
      this.batches.flatMap(({ audit, events }) => [...audit, ...events].map(({ tenantId }) => tenantId)),
    );
    const audit = this.batches.flatMap((batch) => batch.audit);
    const events = this.batches.flatMap((batch) => batch.events);
    const times = [...this.pipelines.values()].flatMap(({ row }) => [row.createdAtMs, row.updatedAtMs]);
    const moves = this.batches.flatMap(({ transitions }) => transitions.map(({ row }) => row.updatedAtMs));
    return {
      lastBatches: [...this.lastBatches.values()],
      heads: sorted(
        [...tenants].map((tenantId) => {
          const last = audit.findLast((row) => row.tenantId === tenantId);
          const lastEvents = events.findLast((row) => row.tenantId === tenantId);
          return {
            tenantId,
            auditSequence: last?.sequence ?? 0n,
            auditHash: last?.hash,
            eventSequence: lastEvents?.lastSequence ?? 0n,
          };
        }),
        ({ tenantId }) => tenantId,
      ),
      newestMs: Math.max(0, ...times, ...moves),
      open: sorted(
        [...this.pipelines].filter(([, { row }]) => !row.ended).map(([pipelineId]) => pipelineId),
        String,
      ),
      journals: sorted([...this.pipelines], ([pipelineId]) => pipelineId).map(
        ([pipelineId, { texts, version, contents }]) => ({ pipelineId, texts, version, contents }),
      ),
      rows: sorted([...this.pipelines], ([pipelineId]) => pipelineId).map(([, { row }]) => row),
      outbox: [...this.outbox.values()].sort((a, b) => a.id - b.id),
      timers: sorted(
        [...this.timers].map(([key, atMs]) => `${key} ${atMs}`),
        String,
      ),
      fleet: this.batches.flatMap((batch) => batch.fleet),
      escalations: sorted([...this.escalations.values()], ({ escalationId }) => escalationId),
      audit: sorted([...tenants], String).map((tenantId) => audit.filter((row) => row.tenantId === tenantId)),
      events: sorted([...tenants], String).map((tenantId) =>
        events.filter((row) => row.tenantId === tenantId),
      ),
      turns: sorted([...this.turns.values()], ({ pipelineId, turnIndex }) => `${pipelineId} ${turnIndex}`),
      tasks: sorted([...this.tasks], ([key]) => key).map(([, task]) => task),
      calls: sorted([...this.calls.values()], ({ pipelineId, callId }) => `${pipelineId} ${callId}`),
      held: sorted([...this.held.values()], ({ dispatchId }) => dispatchId),
      knowledge: tenantsAndTopics.map(({ tenantId, topic }) =>
        this.batches
          .flatMap(({ knowledge }) => knowledge)
          .filter((row) => row.tenantId === tenantId && row.topic === topic)
          .reverse(),
      ),
      steps: sorted([...this.steps.values()], ({ pipelineId, ordinal }) => `${pipelineId} ${ordinal}`),
    };
  }
}

/** Everything that a store returns, sorted where the store promises no order. */
export async function readEverything(store: Store, model: Model): Promise<unknown> {
  const heads = sorted([...(await store.heads())], ({ tenantId }) => tenantId);
  const open = await readAll(store.openJournals());
  const fleet = await readAll(store.fleet());
  const timers = await store.timers();
  const ids = sorted([...model.pipelines.keys()], String);
  const escalationIds = sorted([...model.escalations.keys()], String);
  const attempts = sorted(
    [...new Set([...model.turns.values()].map(({ dispatchId }) => dispatchId))],
    String,
  );
  const withSteps = sorted(
    [...new Set([...model.steps.values()].map(({ dispatchId }) => dispatchId))],
    String,
  );
  const sequenceOrder = [{ field: "sequence", descending: false }] as const;
  const journals = await Promise.all(ids.map((id) => store.journal(id)));
  for (const journal of open) {
    const same = journals.find((other) => other?.pipelineId === journal.pipelineId);
    if (JSON.stringify(plain(journal)) !== JSON.stringify(plain(same))) {
      throw new Error(`"${journal.pipelineId}" has a different journal among the open ones`);
    }
  }
  return {
    lastBatches: await Promise.all([...model.lastBatches.keys()].map((writer) => store.lastBatch(writer))),
    heads,
    newestMs: await store.newestMs(),
    open: sorted(
      open.map(({ pipelineId }) => pipelineId),
      String,
    ),
    journals,
    rows: await Promise.all(ids.map((id) => store.pipeline(id))),
    outbox: await store.outbox(),
    timers: sorted(
      timers.map(({ pipelineId, timerId, atMs }) => `${timerKey(pipelineId, timerId)} ${atMs}`),
      String,
    ),
    fleet,
    escalations: await Promise.all(escalationIds.map((id) => store.escalation(id))),
    audit: await Promise.all(
      heads.map(({ tenantId }) =>
        store.auditEntries({ tenantId, where: [], orderBy: sequenceOrder, after: undefined, limit: 1000 }),
      ),
    ),
    events: await Promise.all(heads.map(({ tenantId }) => store.events(tenantId, 0n, 1000))),
    turns: (await Promise.all(attempts.map((id) => store.turns(id, -1, 1000)))).flat(),
    tasks: (await Promise.all(ids.map((id) => store.tasks(id)))).flat(),
    calls: sorted([...(await store.openCalls())], ({ pipelineId, callId }) => `${pipelineId} ${callId}`),
    held: sorted([...(await store.heldBack())], ({ dispatchId }) => dispatchId),
    knowledge: await Promise.all(
      tenantsAndTopics.map(async (of) => {
        const rows = await store.knowledge({ ...of, limit: 1000 });
        return rows.map(({ sequence: _, ...row }) => row);
      }),
    ),
    steps: (await Promise.all(withSteps.map((id) => store.steps(id, 0, 1000, 1_000_000)))).flat(),
  };
}

const tenantsAndTopics = ["acme", "zenith"].flatMap((tenantId) =>
  ["cache", "signal"].map((topic) => ({ tenantId, topic })),
);

function plain(journal: Awaited<ReturnType<Store["journal"]>>) {
  return journal && { ...journal, contents: sorted([...journal.contents.keys()], String) };
}

function timerKey(pipelineId: string, timerId: string): string {
  return `${pipelineId} / ${timerId}`;
}

function sorted<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}
