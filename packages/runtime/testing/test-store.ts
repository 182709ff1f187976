import type {
  AuditField,
  Batch,
  CheckpointRow,
  EscalationField,
  FleetRow,
  KeptNode,
  PipelineField,
  Query,
  Retention,
  Store,
  StoredJournal,
  TreePlace,
} from "../src/ports/store.ts";
import { StoreUnavailable } from "../src/ports/store-error.ts";
import { Succession } from "../src/stores/succession.ts";

/** A store in the hands of a test: it counts, waits, fails, and lets go of a hub that is dead. */
export class TestStore implements Store {
  readonly #inner: Store;
  readonly #commits = new Succession();
  #fault: Error | undefined;
  #gate: { readonly opened: Promise<void>; readonly open: () => void } | undefined;
  #dead = false;
  #committing = 0;
  /** What was stored, in order. */
  readonly batches: Batch[] = [];
  /** How many transactions were on their way at the same time, at the most. */
  mostAtOnce = 0;
  /** May throw, and then nothing of the batch is stored. */
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

  /** Nothing works until it is mended. */
  break(fault: Error = noRoom()): void {
    this.#fault = fault;
  }

  mend(): void {
    this.#fault = undefined;
  }

  /** Transactions wait until the gate is opened. */
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

  /** The hub that uses it has lost power: nothing it asks for happens any more, and it hears nothing. */
  kill(): void {
    this.#dead = true;
    this.open();
    this.#die();
  }

  /** Transactions that were given and are neither stored nor refused. */
  get committing(): number {
    return this.#committing;
  }

  async commit(batch: Batch): Promise<void> {
    this.#committing++;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#committing);
    try {
      await this.#commits.give(() => this.store(batch));
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
  treeNodes(tenantId: string, places: readonly TreePlace[]) {
    return this.#pass(() => this.#inner.treeNodes(tenantId, places));
  }
  keepCheckpoint(row: CheckpointRow, nodes: readonly KeptNode[]) {
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
  tasks(pipelineId: string) {
    return this.#pass(() => this.#inner.tasks(pipelineId));
  }
  openCalls() {
    return this.#pass(() => this.#inner.openCalls());
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
    // Whoever died meanwhile does not hear of it.
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
