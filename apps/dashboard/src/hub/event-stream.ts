import { type EventRecord, EventRecordSchema } from "@baton/contract/messages";
import { fromJsonString } from "@bufbuild/protobuf";
import { authorization, dropIfOperator, onKeyChange } from "./key.ts";
import { readEvents } from "./read-events.ts";
import { readNeeds } from "./sign-in.ts";
import { readTenant } from "./tenant.ts";
import { hiddenSignal, untilSeen } from "./visibility.ts";

/** How a stream of events is doing. */
export type StreamState =
  | { readonly kind: "connecting" }
  /** Everything stored so far is told; what follows happens now. */
  | { readonly kind: "live" }
  | { readonly kind: "lost"; readonly why: string }
  | { readonly kind: "locked" };

export interface StreamOptions {
  readonly filter: string;
  /** The sequence to begin after; without it with what happens next. */
  readonly after?: bigint;
  /** Whether it goes on after the last sequence that was seen; else with what happens next, for who reads all again. */
  readonly resumes: boolean;
  /** Told of whatever changes, with or without an event: it is time to read it again. */
  readonly onChangeHint?: (changeHint: ChangeHint) => void;
  readonly onRecords: (records: readonly EventRecord[]) => void;
  readonly onState: (state: StreamState) => void;
  /** What was shown is no beginning of what follows: it begins anew. */
  readonly onRestart?: () => void;
}

/** What has changed, as the hub tells its page. */
export interface ChangeHint {
  readonly pipelines: readonly string[];
  /** Too many pipelines to name them. */
  readonly many: boolean;
  readonly inbox: boolean;
  readonly fleet: boolean;
  /** The tenant was stopped or started. */
  readonly tenant?: boolean;
}

const backoffMs = [200, 500, 1_000, 2_000, 3_000];

/** The hub shows every fifteen seconds that it lives. */
const silenceMs = 40_000;

/**
 * Follows events until `stop` is called (TUR-04). A stream that is lost is opened again after the last sequence that was
 * seen: nothing is missed and nothing told twice.
 */
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

  /** Comes back at once instead of waiting for the next try. */
  wake(): void {
    this.#wake();
  }

  async #follow(): Promise<void> {
    const { onState } = this.#options;
    for (let tries = 0; !this.#ending.signal.aborted; tries++) {
      await untilSeen(this.#ending.signal);
      if (tries === 0) onState({ kind: "connecting" });
      const hidden = hiddenSignal(this.#ending.signal);
      const end = await this.#once(hidden, () => {
        tries = 0;
      });
      if (this.#ending.signal.aborted) return;
      if (hidden.aborted) {
        tries = -1; // Nobody looks: it is taken up where it was when somebody does.
        continue;
      }
      onState(end);
      await this.#pause(end.kind === "locked" ? undefined : (backoffMs[tries] ?? backoffMs.at(-1)));
    }
  }

  /** One connection, from its beginning to its end. */
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
        return dropIfOperator() ? { kind: "lost", why: "the sign-in has ended" } : { kind: "locked" };
      if (!answer.ok || answer.body === null) {
        if (await isOutOfPlace(answer)) this.#beginAnew();
        return { kind: "lost", why: `the hub answered ${answer.status}` };
      }
      await this.#read(answer.body, onSign, onLive);
      return { kind: "lost", why: "the hub ended the stream" };
    } catch {
      return { kind: "lost", why: quiet.signal.aborted ? "the hub is silent" : "the hub does not answer" };
    } finally {
      clearTimeout(timer);
    }
  }

  async #read(body: ReadableStream<Uint8Array>, onSign: () => void, onLive: () => void): Promise<void> {
    let gathered: EventRecord[] = [];
    const hand = () => {
      if (gathered.length > 0) this.#options.onRecords(gathered);
      gathered = [];
    };
    // What comes in one go is handed on in one go: a hundred thousand events are not a hundred thousand renderings.
    const flush = window.setInterval(hand, 50);
    try {
      for await (const { id, event, data } of readEvents(body, onSign)) {
        if (this.#ending.signal.aborted) return;
        if (event === "record")
          gathered.push(fromJsonString(EventRecordSchema, data, { ignoreUnknownFields: true }));
        if (event === "stir") this.#options.onChangeHint?.(JSON.parse(data) as ChangeHint);
        if (event === "error" && isAboutPlace(data)) {
          gathered = [];
          this.#beginAnew();
          return;
        }
        if (id !== "" && this.#options.resumes) this.#last = BigInt(id);
        if (event !== "caught_up") continue;
        hand();
        onLive();
        this.#options.onState({ kind: "live" });
      }
    } finally {
      clearInterval(flush);
      hand();
    }
  }

  #beginAnew(): void {
    this.#last = this.#options.after;
    this.#options.onRestart?.();
  }

  #address(): string {
    const query = new URLSearchParams({ filter: this.#options.filter });
    if (this.#last !== undefined) query.set("after", String(this.#last));
    if (this.#options.onChangeHint) query.set("stirs", "1");
    return `/v1/events?${query}`;
  }

  /** Until the time is up, somebody wakes us, or there is another key. */
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

/** Told at once; or, where the hub had to look longer, as the last event of the stream. The number is of another store, or of events that are gone. */
async function isOutOfPlace(answer: Response): Promise<boolean> {
  const text = await answer.text().catch(() => "");
  return answer.status === 400 && isAboutPlace(text);
}

function isAboutPlace(text: string): boolean {
  return /BATON-QUERY-00[23]/.test(text);
}
