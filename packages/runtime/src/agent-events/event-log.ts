import { LRUCache } from "lru-cache";
import type { Clock } from "../ports/clock.ts";
import type { CallRow, HeldRow } from "../ports/store.ts";
import type { EgressFilter } from "../redaction/egress-filter.ts";
import { type Attempt, AttemptLog, type AttemptLogParts, type ReportSession } from "./attempt-log.ts";
import { StoredReportsReader } from "./stored-reports.ts";

/** Attempts that are over and whose agents may still report: with much to remember, and with little. */
const maxOver = 1_000;
const maxOverSmall = 10_000;

export interface EventLogParts extends Omit<AttemptLogParts, "redactor"> {
  readonly filter: EgressFilter;
  readonly soon: Clock["soon"];
}

/** The logs of all attempts, by tenant and attempt. */
export class AgentEventLog {
  readonly #parts: AttemptLogParts;
  readonly #reader: StoredReportsReader;
  readonly #live = new Map<string, AttemptLog>();
  readonly #over = new LRUCache<string, AttemptLog>({ max: maxOver });
  readonly #overSmall = new LRUCache<string, AttemptLog>({ max: maxOverSmall });
  /** Counts sessions and ends. */
  #count = 0;
  readonly #began = new WeakMap<ReportSession, number>();

  constructor({ filter, soon, ...parts }: EventLogParts) {
    const { store, engine } = parts;
    this.#parts = { ...parts, redactor: filter.at("event") };
    const lastEvent = (tenantId: string) => engine.lastEvent(tenantId);
    this.#reader = new StoredReportsReader({ store, lastEvent, soon, startedMs: engine.nowMs });
  }

  find(attempt: Omit<Attempt, "pipelineId">): AttemptLog | undefined {
    const key = keyOf(attempt);
    return this.#live.get(key) ?? this.#over.get(key) ?? this.#overSmall.get(key);
  }

  /** For a report. Of an attempt that was over before this process knew of it nobody knows where its words stand. */
  of(attempt: Attempt, isUnderWay: boolean): AttemptLog {
    const log = this.#add(attempt, isUnderWay);
    log.initial ??= isUnderWay ? "live" : "cut";
    return log;
  }

  /** The agent has come back with the attempt, and may repeat its reports. */
  mayRepeat(attempt: Attempt, isUnderWay: boolean): void {
    this.#add(attempt, isUnderWay).mayRepeat = true;
  }

  /** An agent repeats what it keeps, of attempts that it does not name and that were over before, too. */
  begin(session: ReportSession): void {
    this.#began.set(session, ++this.#count);
  }

  /** Whether it has to be looked up what is stored of an attempt before a report is taken. */
  isLookUpDue(
    { mayRepeat, lookedUpIn, endedAt }: AttemptLog,
    session: ReportSession,
    isOver: boolean,
  ): boolean {
    if (mayRepeat) return lookedUpIn !== session;
    return isOver && endedAt < (this.#began.get(session) ?? 0);
  }

  async lookUp(log: AttemptLog, session: ReportSession, sinceMs: number): Promise<void> {
    // While the store is away nobody knows: to publish something twice is better than not at all.
    const stored = await this.#reader.find({ ...log.attempt, sinceMs }).catch(() => undefined);
    if (!stored) return;
    log.setStored(stored, session);
    const key = keyOf(log.attempt);
    if (!this.#live.has(key)) this.#over.set(key, log);
  }

  /** What an earlier process left open. */
  recall(
    calls: readonly CallRow[],
    tails: readonly HeldRow[],
    isUnderWay: (attempt: Attempt) => boolean,
  ): void {
    for (const row of tails) this.#add(row, true).recall(row.text);
    for (const call of calls) this.#add(call, true).recallCall(call);
    for (const { attempt } of [...this.#live.values()]) if (!isUnderWay(attempt)) this.over(attempt);
  }

  over(attempt: Attempt): void {
    const key = keyOf(attempt);
    const log = this.#add(attempt, true);
    this.#live.delete(key);
    log.over(++this.#count);
    (log.isSmall ? this.#overSmall : this.#over).set(key, log);
  }

  #add(attempt: Attempt, isUnderWay: boolean): AttemptLog {
    const known = this.find(attempt);
    if (known) return known;
    const log = new AttemptLog(this.#parts, attempt);
    if (isUnderWay) this.#live.set(keyOf(attempt), log);
    else this.#overSmall.set(keyOf(attempt), log);
    return log;
  }
}

function keyOf({ tenantId, dispatchId }: Omit<Attempt, "pipelineId">): string {
  return `${tenantId}\n${dispatchId}`;
}
