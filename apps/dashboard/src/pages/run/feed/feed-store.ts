import type {
  EventRecord,
  TaskTransition,
  ToolLifecycleInvoked,
  ToolStatus,
  TurnRecord,
} from "@baton/contract/messages";
import { timestampMs } from "@bufbuild/protobuf/wkt";

export type FeedKind = "thought" | "tool" | "terminal" | "state";

/** One line of the feed. Pieces of one thought are one line, and so are a call and what came of it. */
export interface FeedItem {
  readonly key: number;
  readonly kind: FeedKind;
  readonly stageId: string;
  readonly dispatchId: string;
  readonly atMs: number;
  text: string;
  /** Of a tool: how it ended, and how long it took. */
  status?: ToolStatus;
  durationMs?: number;
}

/** More than these are not kept; the oldest go. */
export const mostItems = 100_000;

/** The events of a run, put together as they come. */
export class FeedStore {
  #items: FeedItem[] = [];
  #version = 0;
  /** When the first event that is left was stored, and whether the run began with it. */
  #first: { readonly atMs: number; readonly isBeginning: boolean } | undefined;
  #hasTurns = false;
  readonly #open = new Map<string, FeedItem>();
  readonly #watchers = new Set<() => void>();

  get items(): readonly FeedItem[] {
    return this.#items;
  }

  get version(): number {
    return this.#version;
  }

  /** Whether the events reach back to where the run began: old ones are removed after a while. */
  get isWhole(): boolean {
    return this.#first?.isBeginning ?? false;
  }

  /** Whether what was said at first is told from the turns that were kept. */
  get hasTurns(): boolean {
    return this.#hasTurns;
  }

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  add(records: readonly EventRecord[]): void {
    this.#first ??= records[0] && firstOf(records[0]);
    for (const record of records) this.#take(record);
    this.#changed();
  }

  /** What agents said before the first event that is left. */
  addTurns(turns: readonly TurnRecord[]): void {
    if (this.#hasTurns) return;
    const endMs = this.#first?.atMs ?? Number.POSITIVE_INFINITY;
    const earlier = turns.filter(({ recordedAt }) => recordedAt && timestampMs(recordedAt) < endMs);
    const items = earlier.flatMap((turn, place) => itemOf(turn, place - earlier.length) ?? []);
    this.#hasTurns = items.length > 0;
    this.#items = [...items.toSorted((a, b) => a.atMs - b.atMs), ...this.#items];
    this.#changed();
  }

  clear(): void {
    this.#items = [];
    this.#first = undefined;
    this.#hasTurns = false;
    this.#open.clear();
  }

  #changed(): void {
    if (this.#items.length > mostItems) this.#items = this.#items.slice(-mostItems);
    this.#version++;
    for (const watcher of this.#watchers) watcher();
  }

  #take(record: EventRecord): void {
    const payload = record.event?.payload;
    switch (payload?.case) {
      case "thoughtStream":
        return this.#think(record, payload.value.turnIndex, payload.value.chunk, payload.value.isFinal);
      case "toolInvoked":
        this.#open.set(callOf(record, payload.value), this.#push(record, "tool", callText(payload.value)));
        return;
      case "toolCompleted": {
        const key = callOf(record, payload.value);
        const call = this.#open.get(key) ?? this.#push(record, "tool", payload.value.tool);
        Object.assign(call, { status: payload.value.status, durationMs: payload.value.durationMs });
        this.#open.delete(key);
        return;
      }
      case "sandboxPulse":
        this.#push(record, "terminal", payload.value.line);
        return;
      case "taskTransition":
        this.#push(record, "state", `${record.stageId || "run"}: ${stepText(record, payload.value)}`);
        return;
      default:
        return;
    }
  }

  #think(record: EventRecord, turn: number, chunk: string, isFinal: boolean): void {
    const key = `${record.dispatchId} ${turn}`;
    const open = this.#open.get(key);
    if (open) open.text += chunk;
    else if (chunk !== "") this.#open.set(key, this.#push(record, "thought", chunk));
    if (isFinal) this.#open.delete(key);
  }

  #push({ sequence, stageId, dispatchId, recordedAt }: EventRecord, kind: FeedKind, text: string): FeedItem {
    const item: FeedItem = {
      key: Number(sequence),
      kind,
      stageId,
      dispatchId,
      atMs: recordedAt ? timestampMs(recordedAt) : 0,
      text,
    };
    this.#items.push(item);
    return item;
  }
}

/** A retry stays where it is: it is told when it is decided, and when the further attempt is sent. */
function stepText({ dispatchId }: EventRecord, { fromState, toState }: TaskTransition): string {
  if (fromState !== toState) return `${fromState} → ${toState}`;
  const attempt = dispatchId.split("/").at(-1);
  return dispatchId === "" ? "is to be tried again" : `tried again, attempt ${attempt} is sent`;
}

/** A run begins with its own first transition. */
function firstOf({ event, stageId, recordedAt }: EventRecord) {
  const payload = event?.payload;
  const isBeginning =
    payload?.case === "taskTransition" && stageId === "" && payload.value.fromState === "NONE";
  return { atMs: recordedAt ? timestampMs(recordedAt) : 0, isBeginning };
}

/** Events are numbered from one: what comes before them has numbers below. */
function itemOf({ turn, stageId, dispatchId, recordedAt }: TurnRecord, key: number): FeedItem | undefined {
  const { thought = "", action = "" } = turn?.content ?? {};
  const text = thought || action;
  const atMs = recordedAt ? timestampMs(recordedAt) : 0;
  return text === "" ? undefined : { key, kind: "thought", stageId, dispatchId, atMs, text };
}

/** Attempts number their calls by themselves: only both together name one. */
function callOf({ dispatchId }: EventRecord, { callId }: { readonly callId: string }): string {
  return `call ${dispatchId} ${callId}`;
}

/** A program with its arguments reads as it would be typed; anything else as its name and what it was given. */
function callText({ tool, arguments: given }: ToolLifecycleInvoked): string {
  const args = given?.args ?? given?.arguments;
  if (Array.isArray(args)) return [tool, ...args.map(String)].join(" ");
  const text = given === undefined ? "" : JSON.stringify(given);
  return text === "" || text === "{}" ? tool : `${tool} ${text}`;
}
