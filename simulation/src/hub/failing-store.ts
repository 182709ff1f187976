import type {
  AuditField,
  Batch,
  CheckpointRow,
  EscalationField,
  FleetRow,
  KnowledgeQuery,
  PipelineField,
  Query,
  Retention,
  SpendQuery,
  StoredJournal,
  StoredNode,
  TreePosition,
} from "@baton/runtime";
import { openMemoryStore, type Store, StoreUnavailable } from "@baton/runtime";
import { CommitQueue } from "@baton/runtime/testing";
import type { Checker } from "../checks/checker.ts";
import { inspect, log, type Sim } from "../sim.ts";
import { invariant } from "../violation.ts";

/** How long the store is unavailable after a failed commit. */
const outagesMs = [0, 0, 300, 3_000, 12_000] as const;
const slowestMs = 3_000;

export interface FailingStoreParts {
  readonly sim: Sim;
  readonly disk: Disk;
  readonly checker: Checker;
  /** Crashes the hub that uses the store. */
  readonly crash: (reason: string) => void;
}

/**
 * The store of one hub process: commits fail, are slow, or are stored while their answer is lost; reads fail. After a crash
 * of the hub it answers nothing more.
 */
export class FailingStore implements Store {
  readonly #parts: FailingStoreParts;
  readonly #commits = new CommitQueue();
  #isCut = false;
  #committing = 0;

  constructor(parts: FailingStoreParts) {
    this.#parts = parts;
  }

  get isCommitting(): boolean {
    return this.#committing > 0;
  }

  /** The hub that uses it has crashed. */
  cut(): void {
    this.#isCut = true;
  }

  async commit(batch: Batch): Promise<void> {
    const { sim, checker } = this.#parts;
    checker.given(batch);
    this.#committing++;
    inspect(sim, () =>
      invariant(
        this.#committing <= 2,
        "at most two batches are in flight",
        () => `there are ${this.#committing}`,
      ),
    );
    try {
      await this.#commits.run(() => this.#store(batch));
    } finally {
      this.#committing--;
    }
  }

  async #store(batch: Batch): Promise<void> {
    const { sim, disk, checker } = this.#parts;
    const { faults, random } = sim;
    await this.#reachable();
    if (faults.strikes("commit fails", 0.2)) {
      disk.awayUntilMs = sim.clock.nowMs + random.pick(outagesMs);
      log(sim, "store: a commit fails");
      throw storeUnavailable("nothing could be stored");
    }
    const slowMs = faults.strikes("commit slow", 0.5) ? random.int(1, slowestMs) : 0;
    const storesFirst = random.chance(0.5);
    if (slowMs > 0 && !storesFirst) await this.#pass(slowMs);
    await this.#mayCrash();
    await disk.store.commit(batch);
    checker.stored(batch);
    await this.#mayCrash();
    if (slowMs > 0 && storesFirst) await this.#pass(slowMs);
    if (!faults.strikes("commit stored but its answer lost", 0.2)) return;
    log(sim, "store: the answer of a commit is lost");
    throw storeUnavailable("the answer is lost");
  }

  async #mayCrash(): Promise<void> {
    if (!this.#parts.sim.faults.strikes("crash while storing", 0.05)) return;
    this.#parts.crash("crash while storing");
    await never;
  }

  async #pass(ms: number): Promise<void> {
    await new Promise<void>((done) => this.#parts.sim.clock.after(ms, done));
    if (this.#isCut) await never;
  }

  async #reachable(): Promise<void> {
    const { sim, disk } = this.#parts;
    if (this.#isCut) await never;
    if (sim.clock.nowMs < disk.awayUntilMs) throw storeUnavailable("the store is unavailable");
  }

  async #read<Value>(read: (store: Store) => Promise<Value>): Promise<Value> {
    await this.#mayRead();
    return read(this.#parts.disk.store);
  }

  async #mayRead(): Promise<void> {
    await this.#reachable();
    if (this.#parts.sim.faults.strikes("read fails", 0.2)) throw storeUnavailable("nothing could be read");
  }

  async *#readAll<Value>(read: (store: Store) => AsyncIterable<Value>): AsyncIterable<Value> {
    await this.#mayRead();
    for await (const value of read(this.#parts.disk.store)) {
      await this.#reachable();
      yield value;
    }
  }

  /** The first read of a hub that starts or recovers: decisions that were not stored are gone. */
  heads() {
    this.#parts.checker.forget();
    return this.#read((store) => store.heads());
  }
  lastBatch(writer: string) {
    return this.#read((store) => store.lastBatch(writer));
  }
  lostEntries() {
    return this.#read((store) => store.lostEntries());
  }
  newestMs() {
    return this.#read((store) => store.newestMs());
  }
  openJournals(): AsyncIterable<readonly StoredJournal[]> {
    return this.#readAll((store) => store.openJournals());
  }
  outbox() {
    return this.#read((store) => store.outbox());
  }
  timers() {
    return this.#read((store) => store.timers());
  }
  fleet(): AsyncIterable<readonly FleetRow[]> {
    return this.#readAll((store) => store.fleet());
  }
  journal(pipelineId: string) {
    return this.#read((store) => store.journal(pipelineId));
  }
  pipeline(pipelineId: string) {
    return this.#read((store) => store.pipeline(pipelineId));
  }
  pipelines(query: Query<PipelineField>) {
    return this.#read((store) => store.pipelines(query));
  }
  escalation(escalationId: string) {
    return this.#read((store) => store.escalation(escalationId));
  }
  escalations(query: Query<EscalationField>) {
    return this.#read((store) => store.escalations(query));
  }
  auditEntries(query: Query<AuditField>) {
    return this.#read((store) => store.auditEntries(query));
  }
  auditRecord(tenantId: string, after: bigint, limit: number) {
    return this.#read((store) => store.auditRecord(tenantId, after, limit));
  }
  checkpoints(tenantId: string, after: bigint, limit: number) {
    return this.#read((store) => store.checkpoints(tenantId, after, limit));
  }
  lastCheckpoint(tenantId: string) {
    return this.#read((store) => store.lastCheckpoint(tenantId));
  }
  treeNodes(tenantId: string, places: readonly TreePosition[]) {
    return this.#read((store) => store.treeNodes(tenantId, places));
  }
  keepCheckpoint(row: CheckpointRow, nodes: readonly StoredNode[]) {
    return this.#read((store) => store.keepCheckpoint(row, nodes));
  }
  events(tenantId: string, after: bigint, limit: number) {
    return this.#read((store) => store.events(tenantId, after, limit));
  }
  turns(dispatchId: string, after: number, limit: number) {
    return this.#read((store) => store.turns(dispatchId, after, limit));
  }
  hasTurn(dispatchId: string, turnIndex: number) {
    return this.#read((store) => store.hasTurn(dispatchId, turnIndex));
  }
  steps(dispatchId: string, after: number, limit: number, valueBytes: number) {
    return this.#read((store) => store.steps(dispatchId, after, limit, valueBytes));
  }
  knowledge(query: KnowledgeQuery) {
    return this.#read((store) => store.knowledge(query));
  }

  tasks(pipelineId: string) {
    return this.#read((store) => store.tasks(pipelineId));
  }
  openCalls() {
    return this.#read((store) => store.openCalls());
  }
  spentSince(day: number) {
    return this.#read((store) => store.spentSince(day));
  }
  spend(query: SpendQuery) {
    return this.#read((store) => store.spend(query));
  }
  heldBack() {
    return this.#read((store) => store.heldBack());
  }
  prune(keep: Retention) {
    return this.#read((store) => store.prune(keep));
  }
  backup(path: string) {
    return this.#read((store) => store.backup(path));
  }
  check() {
    return this.#read((store) => store.check());
  }
  close(): Promise<void> {
    return this.#parts.disk.store.close();
  }
}

const never = new Promise<never>(() => {});

/** What survives a crash: everything committed. The store may be unavailable for a while. */
export class Disk {
  readonly store: Store = openMemoryStore();
  awayUntilMs = 0;
}

export function storeUnavailable(what: string): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-006", what, { fix: "wait", mayPass: true });
}
