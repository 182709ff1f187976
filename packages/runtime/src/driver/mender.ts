/**
 * What the driver does after a turn that could not be stored (D4), or whose input is a mistake of the hub (D5). Either way it
 * begins again from the store; they differ in who is told, and in what is tried again.
 */
import { RedactionFailure } from "@baton/kernel";
import { pause } from "../ports/clock.ts";
import type { Batch } from "../ports/store.ts";
import { Conflict, StoreUnavailable } from "../ports/store-error.ts";
import { isEmpty } from "./batch-builder.ts";
import type { DriverParts } from "./driver.ts";
import { mistake, type Turn, unredacted } from "./turn.ts";
import type { Work } from "./work.ts";

/** Inputs that were decided to be stored together. */
export interface Decided {
  readonly works: readonly Work[];
  /** What the store was given of them. It may have it although it says that it failed. */
  readonly batch?: Batch;
}

export interface Failure extends Decided {
  readonly error: Error;
  /** They are durable, and were not all answered. */
  readonly stored: boolean;
}

/** What whoever mends it may do to the driver. */
export interface Patient {
  /** What is to be decided, the next one first. */
  readonly queue: Work[];
  /** How many more of the next inputs get a transaction of their own. */
  decideAlone(count: number): void;
  nextTurn(): Turn;
  stopTimers(): void;
  /** Begins again from what is stored. */
  recover(): Promise<void>;
  /** The last event of a tenant that is durable. */
  lastEvent(tenantId: string): bigint;
  isClosed(): boolean;
  isAway(): boolean;
  /** Nothing is taken that can be refused, for this reason. */
  goAway(why: Error): void;
  /** The reason is another one now. */
  stayAway(why: Error): void;
  comeBack(): void;
}

type MenderParts = Pick<DriverParts, "store" | "clock" | "settings" | "onProblem" | "onRecovered">;

export class Mender {
  readonly #parts: MenderParts;
  readonly #driver: Patient;

  constructor(parts: MenderParts, driver: Patient) {
    this.#parts = parts;
    this.#driver = driver;
  }

  /** The turn that failed, and what was decided on top of it, did not happen. */
  async mend(failure: Failure, above: readonly Decided[]): Promise<void> {
    const { works, error, stored } = failure;
    const later = above.flatMap((decided) => decided.works);
    if (stored || isOfStore(error)) await this.#fail([...works, ...later], error, [failure, ...above]);
    else await this.#findMistake(works, later, error);
  }

  /** Nothing of these inputs can be stored together. Alone, all can but the one that the mistake is about (D5). */
  async #findMistake(works: readonly Work[], later: readonly Work[], error: Error): Promise<void> {
    const driver = this.#driver;
    this.#parts.onProblem?.(error);
    driver.stopTimers();
    const [only, ...others] = works;
    const isFound = only !== undefined && others.length === 0;
    const again = isFound ? later : [...works, ...later];
    driver.queue.unshift(...again);
    driver.decideAlone(again.length);
    let unanswered = isFound ? [only] : [];
    try {
      if (isFound) await this.#giveUp(only, error);
      unanswered = [];
      await driver.recover();
      this.#parts.onRecovered?.();
    } catch (failure) {
      await this.#fail(unanswered, asError(failure));
    }
  }

  /** What the input was about is crossed off: it would only lead to the same mistake again. */
  async #giveUp(work: Work, error: Error): Promise<void> {
    if (work.kind === "pipeline") {
      const turn = this.#driver.nextTurn();
      turn.refuse(work, error instanceof RedactionFailure ? unredacted : mistake);
      const crossedOff = turn.build([]);
      if (!isEmpty(crossedOff)) await this.#parts.store.commit(crossedOff);
      turn.settle(crossedOff);
    } else if (work.reply.failed) work.reply.failed(error);
    else if (work.kind === "fleet") work.reply.done(undefined);
    else work.reply.done();
  }

  /** Whoever can be told that it failed is told; what nobody would say again waits for the store. */
  async #fail(works: readonly Work[], error: Error, given: readonly Decided[] = []): Promise<void> {
    const driver = this.#driver;
    if (driver.isClosed()) return;
    driver.goAway(error);
    this.#parts.onProblem?.(error);
    driver.stopTimers();
    const { queue } = driver;
    const all = [...works, ...queue];
    queue.splice(0, queue.length, ...all.filter(({ reply }) => reply.failed === undefined));
    for (const { reply } of all) reply.failed?.(error);
    await this.#comeBack(given);
  }

  /** It may be closed while the store is away. */
  async #comeBack(given: readonly Decided[]): Promise<void> {
    const driver = this.#driver;
    const { first, most } = this.#parts.settings.limits.retryStoreMs;
    for (let delayMs = first; driver.isAway(); delayMs = Math.min(most, delayMs * 2)) {
      await pause(this.#parts.clock, delayMs);
      if (!driver.isAway()) return;
      try {
        await driver.recover();
        if (!driver.isAway()) return;
        for (const decided of given) this.#leaveOutStored(decided);
        driver.comeBack();
        this.#parts.onRecovered?.();
      } catch (error) {
        driver.stayAway(asError(error));
      }
    }
  }

  /**
   * What agents told has no place in a journal that would tell whether it is stored, and would be told twice. The count of
   * events tells: a batch is stored whole, and nobody else writes.
   */
  #leaveOutStored({ works, batch }: Decided): void {
    const { queue } = this.#driver;
    const isStored = batch?.events.some(
      ({ tenantId, lastSequence }) => lastSequence <= this.#driver.lastEvent(tenantId),
    );
    if (!isStored) return;
    const told = works.filter((work) => work.kind === "event");
    const again = new Set<Work>(told);
    queue.splice(0, queue.length, ...queue.filter((work) => !again.has(work)));
    for (const { reply } of told) reply.done();
  }
}

/** The store does not work, or somebody else has written to it; otherwise what it was given is at fault. */
function isOfStore(error: Error): boolean {
  if (error instanceof StoreUnavailable) return error.code !== "BATON-STORE-008";
  return error instanceof Conflict;
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
