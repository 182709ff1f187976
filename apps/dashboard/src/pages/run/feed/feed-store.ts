import type {
  EventRecord,
  SandboxPulse,
  TaskTransition,
  ToolLifecycleInvoked,
  ToolStatus,
} from "@baton/contract/messages";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { linesText, removedText, turnsText, withheldText } from "./gaps.ts";
import { itemsOf, type ToldTurns } from "./told-turns.ts";

export type FeedKind = "thought" | "tool" | "terminal" | "state" | "gap";

/** One line of the feed. Pieces of one thought are one line, and so are a call and what came of it. */
export interface FeedItem {
  readonly key: number;
  readonly kind: FeedKind;
  readonly stageId: string;
  readonly dispatchId: string;
  /** Zero where it is not known, as of what is missing. */
  readonly atMs: number;
  text: string;
  /** Of a tool: how it ended, and how long it took. */
  status?: ToolStatus;
  durationMs?: number;
  /** Of a further attempt: the one that it comes after. */
  after?: string;
}

/** More than these are not kept; the oldest go. */
export const mostItems = 100_000;

/** The events of a run, put together as they come. */
export class FeedStore {
  #items: FeedItem[] = [];
  #version = 0;
  /** When the first event that is left was stored, and whether the run began with it. */
  #first: { readonly atMs: number; readonly isBeginning: boolean } | undefined;
  /** The line that says that what came before was removed. */
  #removed: FeedItem | undefined;
  #hasTurns = false;
  #trimmed = 0;
  readonly #open = new Map<string, FeedItem>();
  /** The attempt that was sent last, by stage. */
  readonly #sent = new Map<string, string>();
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

  /** Lines that are kept no more, because there are too many. */
  get trimmed(): number {
    return this.#trimmed;
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

  /** Everything was told, and it does not begin where the run did: that is said in the place of what is missing. */
  tellRemoved(): void {
    if (this.isWhole || this.#removed) return;
    this.#removed = { ...{ key: 0, kind: "gap", stageId: "", dispatchId: "", atMs: 0 }, text: removedText };
    this.#items = [this.#removed, ...this.#items];
    this.#changed();
  }

  /** What agents said before the first event that is left. */
  addTurns(told: ToldTurns): void {
    if (this.#hasTurns) return;
    const items = itemsOf(told, this.#first?.atMs ?? Number.POSITIVE_INFINITY);
    this.#hasTurns = items.length > 0;
    if (this.#hasTurns && this.#removed) this.#removed.text += turnsText(told.turns.length, told.hasMore);
    this.#items = [...items, ...this.#items];
    this.#changed();
  }

  clear(): void {
    this.#items = [];
    this.#first = undefined;
    this.#removed = undefined;
    this.#hasTurns = false;
    this.#trimmed = 0;
    this.#open.clear();
    this.#sent.clear();
  }

  #changed(): void {
    const over = this.#items.length - mostItems;
    if (over > 0) {
      this.#trimmed += over;
      this.#items = this.#items.slice(over);
    }
    this.#version++;
    for (const watcher of this.#watchers) watcher();
  }

  #take(record: EventRecord): void {
    const payload = record.event?.payload;
    if (record.withheld) {
      this.#push(record, "gap", withheldText(payload?.case, record.withheld));
      return;
    }
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
        return this.#pulse(record, payload.value);
      case "taskTransition":
        return this.#step(record, payload.value);
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

  #step(record: EventRecord, step: TaskTransition): void {
    const { stageId, dispatchId } = record;
    const item = this.#push(record, "state", `${stageId || "run"}: ${stepText(record, step)}`);
    const before = this.#sent.get(stageId);
    if (isFurther(step) && before !== undefined) item.after = before;
    if (dispatchId !== "") this.#sent.set(stageId, dispatchId);
  }

  /** A last one has no line of its own: it says how many were left out before the end. */
  #pulse(record: EventRecord, { line, leftOut }: SandboxPulse): void {
    if (leftOut > 0) this.#push(record, "gap", linesText(leftOut), 0.5);
    if (leftOut === 0 || line !== "") this.#push(record, "terminal", line);
  }

  /** `before` puts what is no event between two of them. */
  #push(
    { sequence, stageId, dispatchId, recordedAt }: EventRecord,
    kind: FeedKind,
    text: string,
    before = 0,
  ): FeedItem {
    const item: FeedItem = {
      key: Number(sequence) - before,
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

/**
 * A retry stays where it is: it is told when it is decided, and when the further attempt is sent. Where nothing is under way,
 * a rewind has put an earlier attempt back in the place of a later one.
 */
function stepText({ dispatchId }: EventRecord, { fromState, toState }: TaskTransition): string {
  if (fromState !== toState) return `${fromState} → ${toState}`;
  const attempt = dispatchId.split("/").at(-1);
  if (!isFurther({ fromState, toState }))
    return `${toState} again${attempt ? `, as of attempt ${attempt}` : ""}, after a rewind`;
  return dispatchId === "" ? "is to be tried again" : `tried again, attempt ${attempt} is sent`;
}

function isFurther({ fromState, toState }: Pick<TaskTransition, "fromState" | "toState">): boolean {
  return fromState === "DISPATCHED" && toState === "DISPATCHED";
}

/** An event does not say why there is a further attempt; where the one before had asked, it is for the answer. */
export function textOf(
  { text, after, stageId, dispatchId }: FeedItem,
  answered: ReadonlySet<string>,
): string {
  if (after === undefined || !answered.has(after)) return text;
  if (dispatchId === "") return `${stageId}: a person has answered, and the answer goes to another attempt`;
  return `${stageId}: attempt ${dispatchId.split("/").at(-1)} is sent, with the answer`;
}

/** A run begins with its own first transition. */
function firstOf({ event, stageId, recordedAt }: EventRecord) {
  const payload = event?.payload;
  const isBeginning =
    payload?.case === "taskTransition" && stageId === "" && payload.value.fromState === "NONE";
  return { atMs: recordedAt ? timestampMs(recordedAt) : 0, isBeginning };
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
