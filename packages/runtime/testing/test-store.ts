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
  Store,
  StoredJournal,
  StoredNode,
  TreePosition,
} from "../src/ports/store.ts";
import { StoreUnavailable } from "../src/ports/store-error.ts";
import { CommitQueue } from "../src/stores/commit-queue.ts";

/** A store that a test controls: it counts, waits and fails, and ignores a hub that was killed. */
export class TestStore implements Store {
  readonly #inner: Store;
  readonly #commits = new CommitQueue();
  #fault: Error | undefined;
  #gate: { readonly opened: Promise<void>; readonly open: () => void } | undefined;
  #dead = false;
  #committing = 0;
  /** Stored batches, in order. */
  readonly batches: Batch[] = [];
  /** The largest number of batches in flight. */
  mostAtOnce = 0;
  /** May throw; then nothing of the batch is stored. */
  beforeCommit: ((batch: Batch) => void) | undefined;

  /** Resolves when it is killed. */
  readonly dead: Promise<void>;
  #die = () => {};

  constructor(inner: Store) {
    this.#inner = inner;
    this.dead = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  /** Every call fails until `repair`. */
  break(fault: Error = noRoom()): void {
    this.#fault = fault;
  }

  repair(): void {
    this.#fault = undefined;
  }

  /** Commits wait until `open`. */
  shut(): void {
    if (this.#gate) return;
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#gate = { opened, open };
  }

  open(): void {
    this.#gate?.open();
    this.#gate = undefined;
  }

  /** As a power failure of the hub: its calls have no effect and are not answered. */
  kill(): void {
    this.#dead = true;
    this.open();
    this.#die();
  }

  /** Commits in flight. */
  get committing(): number {
    return this.#committing;
  }

  async commit(batch: Batch): Promise<void> {
    this.#committing++;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#committing);
    try {
      await this.#commits.run(() => this.store(batch));
    } finally {
      this.#committing--;
    }
  }

  protected async store(batch: Batch): Promise<void> {
    await this.#gate?.opened;
    await this.#pass(() => {
      this.beforeCommit?.(batch);
      return this.#inner.commit(batch);
    });
    this.batches.push(batch);
  }

  lastBatch(writer: string) {
    return this.#pass(() => this.#inner.lastBatch(writer));
  }
  heads() {
    return this.#pass(() => this.#inner.heads());
  }
  lostEntries() {
    return this.#pass(() => this.#inner.lostEntries());
  }
  newestMs() {
    return this.#pass(() => this.#inner.newestMs());
  }
  openJournals(): AsyncIterable<readonly StoredJournal[]> {
    return this.#each(() => this.#inner.openJournals());
  }
  outbox() {
    return this.#pass(() => this.#inner.outbox());
  }
  timers() {
    return this.#pass(() => this.#inner.timers());
  }
  fleet(): AsyncIterable<readonly FleetRow[]> {
    return this.#each(() => this.#inner.fleet());
  }
  journal(pipelineId: string) {
    return this.#pass(() => this.#inner.journal(pipelineId));
  }
  pipeline(pipelineId: string) {
    return this.#pass(() => this.#inner.pipeline(pipelineId));
  }
  pipelines(query: Query<PipelineField>) {
    return this.#pass(() => this.#inner.pipelines(query));
  }
  escalation(escalationId: string) {
    return this.#pass(() => this.#inner.escalation(escalationId));
  }
  escalations(query: Query<EscalationField>) {
    return this.#pass(() => this.#inner.escalations(query));
  }
  auditEntries(query: Query<AuditField>) {
    return this.#pass(() => this.#inner.auditEntries(query));
  }
  auditRecord(tenantId: string, after: bigint, limit: number) {
    return this.#pass(() => this.#inner.auditRecord(tenantId, after, limit));
  }
  checkpoints(tenantId: string, after: bigint, limit: number) {
    return this.#pass(() => this.#inner.checkpoints(tenantId, after, limit));
  }
  lastCheckpoint(tenantId: string) {
    return this.#pass(() => this.#inner.lastCheckpoint(tenantId));
  }
  treeNodes(tenantId: string, places: readonly TreePosition[]) {
    return this.#pass(() => this.#inner.treeNodes(tenantId, places));
  }
  keepCheckpoint(row: CheckpointRow, nodes: readonly StoredNode[]) {
    return this.#pass(() => this.#inner.keepCheckpoint(row, nodes));
  }
  events(tenantId: string, after: bigint, limit: number) {
    return this.#pass(() => this.#inner.events(tenantId, after, limit));
  }
  turns(dispatchId: string, after: number, limit: number) {
    return this.#pass(() => this.#inner.turns(dispatchId, after, limit));
  }
  hasTurn(dispatchId: string, turnIndex: number) {
    return this.#pass(() => this.#inner.hasTurn(dispatchId, turnIndex));
  }
  steps(dispatchId: string, after: number, limit: number, valueBytes: number) {
    return this.#pass(() => this.#inner.steps(dispatchId, after, limit, valueBytes));
  }
  knowledge(query: KnowledgeQuery) {
    return this.#pass(() => this.#inner.knowledge(query));
  }
  tasks(pipelineId: string) {
    return this.#pass(() => this.#inner.tasks(pipelineId));
  }
  openCalls() {
    return this.#pass(() => this.#inner.openCalls());
  }
  spentSince(day: number) {
    return this.#pass(() => this.#inner.spentSince(day));
  }
  spend(query: SpendQuery) {
    return this.#pass(() => this.#inner.spend(query));
  }
  heldBack() {
    return this.#pass(() => this.#inner.heldBack());
  }
  prune(keep: Retention) {
    return this.#pass(() => this.#inner.prune(keep));
  }
  backup(path: string) {
    return this.#pass(() => this.#inner.backup(path));
  }
  check() {
    return this.#pass(() => this.#inner.check());
  }
  close() {
    return this.#inner.close();
  }

  async #pass<Value>(call: () => Promise<Value>): Promise<Value> {
    await this.#alive();
    const value = await call();
    // A hub that was killed meanwhile gets no answer.
    if (this.#dead) await never;
    return value;
  }

  async *#each<Value>(call: () => AsyncIterable<Value>): AsyncIterable<Value> {
    await this.#alive();
    for await (const value of call()) {
      await this.#alive();
      yield value;
    }
  }

  async #alive(): Promise<void> {
    if (this.#dead) await never;
    if (this.#fault) throw this.#fault;
  }
}

const never = new Promise<never>(() => {});

export function noRoom(): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-004", "there is no room left", {
    fix: "make room",
    mayPass: true,
  });
}
