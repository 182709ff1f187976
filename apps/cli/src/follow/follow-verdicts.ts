import type { EventRecord, WatchEventsResponse } from "@baton/contract/forms";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Hub } from "../hub/connect-hub.ts";
import { isTransient } from "../hub/transient-errors.ts";
import { limits } from "../limits.ts";
import { Poller } from "./poller.ts";
import { type Verdict, Verdicts } from "./verdicts.ts";

export interface VerdictFollowOptions {
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** Which verdicts: of a run, of stages with this id, of attempts whose events were received. */
  readonly of: { readonly pipelineId?: string; readonly stageId?: string; readonly onlyActive?: boolean };
  /** Whether the stream begins with past events; else only new verdicts are reported. */
  readonly fromPast: boolean;
  /** Whether to go on after the past. */
  readonly follow: boolean;
  readonly onVerdict: (verdict: Verdict) => Promise<void>;
  /** The key may not read the audit record; called once. */
  readonly onNoRecord?: () => void;
  /** Called with an error that is not transient. */
  readonly fail: (error: unknown) => void;
}

/**
 * Reports verdicts beside a stream of events.
 *
 * V1. A past verdict is reported after the transitions it led to and before later events.
 * V2. After the past no event waits for a verdict: a poller reads them, one read at a time.
 * V3. Each is reported once, also when the stream is resumed.
 */
export class VerdictFollower {
  readonly #options: VerdictFollowOptions;
  readonly #verdicts: Verdicts;
  readonly #poller: Poller;
  /** The last attempts whose events were received. */
  readonly #active = new Set<string>();
  #hasBegun = false;
  #isPast = true;
  #hasRecord = true;

  constructor(options: VerdictFollowOptions) {
    this.#options = options;
    const { hub, signal, of, fail } = options;
    this.#verdicts = new Verdicts({ hub, signal, pipelineId: of.pipelineId });
    this.#poller = new Poller(() => this.#reportAll(), fail);
  }

  /** Call before the stream is opened, so that no verdict in between is lost. */
  async begin(): Promise<void> {
    if (this.#options.fromPast) return;
    this.#isPast = false;
    // The stream reports an outage.
    await ignoreTransient(this.#beginNow());
    this.#poller.start();
  }

  /** Call before a message of the stream is printed. */
  async before({ message }: WatchEventsResponse): Promise<void> {
    if (message.case === "record") {
      const { value } = message;
      this.#noteActive(value);
      if (this.#isPast) await this.#reportPast(value);
      else if (value.event?.payload.case === "taskTransition") this.#poller.request();
    }
    if (message.case === "caughtUp" && this.#isPast) {
      this.#isPast = false;
      if (this.#options.follow) this.#poller.start();
      else await this.#reportAll(); // The stream ends here.
    }
  }

  stop(): void {
    this.#poller.stop();
  }

  async #beginNow(): Promise<void> {
    await this.#verdicts.beginNow();
    this.#hasBegun = true;
    this.#noteRecord();
  }

  #noteRecord(): void {
    if (this.#hasRecord && !this.#verdicts.hasRecord) this.#options.onNoRecord?.();
    this.#hasRecord = this.#verdicts.hasRecord;
  }

  async #reportPast({ recordedAt }: EventRecord): Promise<void> {
    if (recordedAt === undefined) return;
    // A verdict has the time of its decision; its transitions have the time of their storing, a little later.
    const decidedBefore = timestampFromMs(timestampMs(recordedAt) - limits.settleMs);
    if (!this.#hasBegun) this.#verdicts.beginAt(decidedBefore);
    this.#hasBegun = true;
    await ignoreTransient(this.#report(this.#verdicts.take(decidedBefore)));
  }

  async #reportAll(): Promise<void> {
    // Nothing has happened until now, or the hub could not be reached.
    if (!this.#hasBegun) return this.#beginNow();
    await this.#report(this.#verdicts.take());
  }

  async #report(verdicts: AsyncIterable<Verdict>): Promise<void> {
    const { of, onVerdict } = this.#options;
    for await (const verdict of verdicts) {
      const { stageId, dispatchId } = verdict.of;
      if (of.stageId !== undefined && of.stageId !== stageId) continue;
      if (of.onlyActive && !this.#active.has(dispatchId)) continue;
      await onVerdict(verdict);
    }
    this.#noteRecord();
  }

  #noteActive({ dispatchId }: EventRecord): void {
    if (!this.#options.of.onlyActive || dispatchId === "") return;
    this.#active.delete(dispatchId);
    this.#active.add(dispatchId);
    const [oldest] = this.#active;
    if (this.#active.size > limits.listRows && oldest !== undefined) this.#active.delete(oldest);
  }
}

/** The stream reports an outage; the next poll reads what was missed. */
async function ignoreTransient(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isTransient(error)) throw error;
  });
}
