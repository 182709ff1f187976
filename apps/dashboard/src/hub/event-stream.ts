import { type EventRecord, EventRecordSchema } from "@baton/contract/messages";
import { fromJsonString } from "@bufbuild/protobuf";
import { authorization, dropIfOperator, onKeyChange } from "./key.ts";
import { readEvents } from "./read-events.ts";
import { readNeeds } from "./sign-in.ts";
import { readTenant } from "./tenant.ts";
import { hiddenSignal, untilVisible } from "./visibility.ts";

export type StreamState =
  | { readonly kind: "connecting" }
  /** All stored events have been received; further ones are new. */
  | { readonly kind: "live" }
  | { readonly kind: "lost"; readonly reason: string }
  | { readonly kind: "locked" };

export interface StreamOptions {
  readonly filter: string;
  /** Starts after this sequence; without it, with the next event. */
  readonly after?: bigint;
  /** Whether a reconnect continues after the last received sequence, or with the next event. */
  readonly resumes: boolean;
  /** Called for every change, with or without an event. */
  readonly onChangeHint?: (changeHint: ChangeHint) => void;
  readonly onRecords: (records: readonly EventRecord[]) => void;
  readonly onState: (state: StreamState) => void;
  /** The received events are void: the stream starts again. */
  readonly onRestart?: () => void;
}

export interface ChangeHint {
  readonly pipelines: readonly string[];
  /** Too many pipelines to list. */
  readonly many: boolean;
  readonly inbox: boolean;
  readonly fleet: boolean;
  /** The tenant was stopped or started. */
  readonly tenant?: boolean;
}

const backoffMs = [200, 500, 1_000, 2_000, 3_000];

/** The hub sends a sign of life every 15 seconds. */
const silenceMs = 40_000;

/** Follows events until `stop` is called (TUR-04). Reconnects without gaps and without duplicates. */
export class EventStream {
  readonly #options: StreamOptions;
  #last: bigint | undefined;
  #ending = new AbortController();
  #wake: () => void = () => {};

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#last = options.after;
    void this.#follow();
  }

  stop(): void {
    this.#ending.abort();
    this.#wake();
  }

  /** Reconnects at once instead of waiting for the next try. */
  wake(): void {
    this.#wake();
  }

  async #follow(): Promise<void> {
    const { onState } = this.#options;
    for (let tries = 0; !this.#ending.signal.aborted; tries++) {
      await untilVisible(this.#ending.signal);
      if (tries === 0) onState({ kind: "connecting" });
      const hidden = hiddenSignal(this.#ending.signal);
      const end = await this.#once(hidden, () => {
        tries = 0;
      });
      if (this.#ending.signal.aborted) return;
      if (hidden.aborted) {
        tries = -1; // Nobody watches. The stream resumes when the page is visible again.
        continue;
      }
      onState(end);
      await this.#pause(end.kind === "locked" ? undefined : (backoffMs[tries] ?? backoffMs.at(-1)));
    }
  }

  /** One connection. */
  async #once(hidden: AbortSignal, onLive: () => void): Promise<StreamState> {
    const quiet = new AbortController();
    let timer = 0;
    const onSign = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => quiet.abort(), silenceMs);
    };
    try {
      const signal = AbortSignal.any([this.#ending.signal, hidden, quiet.signal]);
      onSign();
      const answer = await fetch(this.#address(), { headers: authorization(), cache: "no-store", signal });
      readNeeds(answer.headers);
      readTenant(answer.headers);
      if (answer.status === 401)
        return dropIfOperator() ? { kind: "lost", reason: "the session has expired" } : { kind: "locked" };
      if (!answer.ok || answer.body === null) {
        if (await isStalePosition(answer)) this.#restart();
        return { kind: "lost", reason: `the hub answered ${answer.status}` };
      }
      await this.#read(answer.body, onSign, onLive);
      return { kind: "lost", reason: "the hub closed the stream" };
    } catch {
      return {
        kind: "lost",
        reason: quiet.signal.aborted ? "the hub is silent" : "the hub does not respond",
      };
    } finally {
      clearTimeout(timer);
    }
  }

  async #read(body: ReadableStream<Uint8Array>, onSign: () => void, onLive: () => void): Promise<void> {
    let batch: EventRecord[] = [];
    const deliver = () => {
      if (batch.length > 0) this.#options.onRecords(batch);
      batch = [];
    };
    // Batches events, so that a hundred thousand of them do not cause as many renderings.
    const flush = window.setInterval(deliver, 50);
    try {
      for await (const { id, event, data } of readEvents(body, onSign)) {
        if (this.#ending.signal.aborted) return;
        if (event === "record")
          batch.push(fromJsonString(EventRecordSchema, data, { ignoreUnknownFields: true }));
        if (event === "stir") this.#options.onChangeHint?.(JSON.parse(data) as ChangeHint);
        if (event === "error" && isPositionError(data)) {
          batch = [];
          this.#restart();
          return;
        }
        if (id !== "" && this.#options.resumes) this.#last = BigInt(id);
        if (event !== "caught_up") continue;
        deliver();
        onLive();
        this.#options.onState({ kind: "live" });
      }
    } finally {
      clearInterval(flush);
      deliver();
    }
  }

  #restart(): void {
    this.#last = this.#options.after;
    this.#options.onRestart?.();
  }

  #address(): string {
    const query = new URLSearchParams({ filter: this.#options.filter });
    if (this.#last !== undefined) query.set("after", String(this.#last));
    if (this.#options.onChangeHint) query.set("stirs", "1");
    return `/v1/events?${query}`;
  }

  /** Waits for the time, a call of `wake` or another key. */
  #pause(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        stopListening();
        resolve();
      };
      const timer = ms === undefined ? 0 : window.setTimeout(done, ms);
      const stopListening = onKeyChange(done);
      this.#wake = done;
    });
  }
}

/** The sequence belongs to another store or to removed events. The hub reports it as the response or as the last event. */
async function isStalePosition(answer: Response): Promise<boolean> {
  const text = await answer.text().catch(() => "");
  return answer.status === 400 && isPositionError(text);
}

function isPositionError(text: string): boolean {
  return /BATON-QUERY-00[23]/.test(text);
}
