import type { EventRecord, ToolLifecycleInvoked, ToolStatus } from "@baton/contract/messages";
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
  readonly #open = new Map<string, FeedItem>();
  readonly #watchers = new Set<() => void>();

  get items(): readonly FeedItem[] {
    return this.#items;
  }

  get version(): number {
    return this.#version;
  }

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  add(records: readonly EventRecord[]): void {
    for (const record of records) this.#take(record);
    if (this.#items.length > mostItems) this.#items = this.#items.slice(-mostItems);
    this.#version++;
    for (const watcher of this.#watchers) watcher();
  }

  clear(): void {
    this.#items = [];
    this.#open.clear();
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
        this.#push(
          record,
          "state",
          `${record.stageId || "run"}: ${payload.value.fromState} → ${payload.value.toState}`,
        );
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
