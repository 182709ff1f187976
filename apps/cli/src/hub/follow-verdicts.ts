import type { EventRecord, WatchEventsResponse } from "@baton/contract/forms";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";
import { Glances } from "./glances.ts";
import { isPassing } from "./passing.ts";
import { type Verdict, Verdicts } from "./verdicts.ts";

export interface FollowingVerdicts {
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** Whose verdicts: of a pipeline, of stages with this id, of attempts of which events were heard. */
  readonly of: { readonly pipelineId?: string; readonly stageId?: string; readonly onlyHeard?: boolean };
  /** Whether the stream begins with the past; else verdicts are told from now on too. */
  readonly fromPast: boolean;
  /** Whether more is told once the past is. */
  readonly follow: boolean;
  readonly tell: (verdict: Verdict) => Promise<void>;
  /** The record is not ours to read; told once. */
  readonly onNoRecord?: () => void;
  /** What cannot pass by itself. */
  readonly fail: (error: unknown) => void;
}

/**
 * The verdicts beside a stream of events.
 *
 * V1. Of the past, a verdict is told after the moves it led to and before the events that came later.
 * V2. After that no event waits for a verdict: those are looked for beside the stream, at most once at a time.
 * V3. Each is told once, also when the stream breaks and begins again.
 */
export class VerdictsBeside {
  readonly #following: FollowingVerdicts;
  readonly #verdicts: Verdicts;
  readonly #glances: Glances;
  /** Attempts of which events were heard, the last ones. */
  readonly #heard = new Set<string>();
  #hasBegun = false;
  #isPast = true;
  #hasRecord = true;

  constructor(following: FollowingVerdicts) {
    this.#following = following;
    const { hub, signal, of, fail } = following;
    this.#verdicts = new Verdicts({ hub, signal, pipelineId: of.pipelineId });
    this.#glances = new Glances(() => this.#tellAll(), fail);
  }

  /** Before the stream is opened: what comes between is told rather than lost. */
  async begin(): Promise<void> {
    if (this.#following.fromPast) return;
    this.#isPast = false;
    // A hub that is not there is told of by the stream.
    await unlessPassing(this.#beginNow());
    this.#glances.start();
  }

  /** Before a message of the stream is told. */
  async before({ message }: WatchEventsResponse): Promise<void> {
    if (message.case === "record") {
      const { value } = message;
      this.#hear(value);
      if (this.#isPast) await this.#tellPast(value);
      else if (value.event?.payload.case === "taskTransition") this.#glances.soon();
    }
    if (message.case === "caughtUp" && this.#isPast) {
      this.#isPast = false;
      if (this.#following.follow) this.#glances.start();
      else await this.#tellAll(); // It is the last look.
    }
  }

  stop(): void {
    this.#glances.stop();
  }

  async #beginNow(): Promise<void> {
    await this.#verdicts.beginNow();
    this.#hasBegun = true;
    this.#noteRecord();
  }

  #noteRecord(): void {
    if (this.#hasRecord && !this.#verdicts.hasRecord) this.#following.onNoRecord?.();
    this.#hasRecord = this.#verdicts.hasRecord;
  }

  async #tellPast({ recordedAt }: EventRecord): Promise<void> {
    if (recordedAt === undefined) return;
    // A verdict has the time of its decision, and its moves that at which they were stored, a little later.
    const decidedBefore = timestampFromMs(timestampMs(recordedAt) - limits.settleMs);
    if (!this.#hasBegun) this.#verdicts.beginAt(decidedBefore);
    this.#hasBegun = true;
    await unlessPassing(this.#tellThose(this.#verdicts.take(decidedBefore)));
  }

  async #tellAll(): Promise<void> {
    // Nothing has happened until now, or the hub was not there.
    if (!this.#hasBegun) return this.#beginNow();
    await this.#tellThose(this.#verdicts.take());
  }

  async #tellThose(verdicts: AsyncIterable<Verdict>): Promise<void> {
    const { of, tell } = this.#following;
    for await (const verdict of verdicts) {
      const { stageId, dispatchId } = verdict.of;
      if (of.stageId !== undefined && of.stageId !== stageId) continue;
      if (of.onlyHeard && !this.#heard.has(dispatchId)) continue;
      await tell(verdict);
    }
    this.#noteRecord();
  }

  #hear({ dispatchId }: EventRecord): void {
    if (!this.#following.of.onlyHeard || dispatchId === "") return;
    this.#heard.delete(dispatchId);
    this.#heard.add(dispatchId);
    const [oldest] = this.#heard;
    if (this.#heard.size > limits.listRows && oldest !== undefined) this.#heard.delete(oldest);
  }
}

/** While the hub is away the stream says so; what was not read is read the next time. */
async function unlessPassing(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isPassing(error)) throw error;
  });
}
