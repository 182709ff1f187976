import type {
  EventRecord,
  SandboxPulse,
  TaskTransition,
  ToolLifecycleInvoked,
  ToolStatus,
} from "@baton/contract/messages";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { linesText, removedText, turnsText, withheldText } from "./gaps.ts";
import { itemsOf, type TurnList } from "./turn-list.ts";

export type FeedKind = "thought" | "tool" | "terminal" | "state" | "gap";

/** One line of the feed. The chunks of a thought share a line, and so do a tool call and its result. */
export interface FeedItem {
  readonly key: number;
  readonly kind: FeedKind;
  readonly stageId: string;
  readonly dispatchId: string;
  /** Zero when unknown, as for gaps. */
  readonly atMs: number;
  text: string;
  /** For tool calls. */
  status?: ToolStatus;
  durationMs?: number;
  /** The previous attempt, for a transition that dispatches again. */
  after?: string;
}

/** The oldest lines beyond this number are dropped. */
export const maxItems = 100_000;

/** Collects the events of a run into lines. */
export class FeedStore {
  #items: FeedItem[] = [];
  #version = 0;
  /** When the first available event was stored, and whether it is the first of the run. */
  #first: { readonly atMs: number; readonly isBeginning: boolean } | undefined;
  /** The line that stands for removed events. */
  #removed: FeedItem | undefined;
  #hasTurns = false;
  #trimmed = 0;
  readonly #open = new Map<string, FeedItem>();
  /** The last dispatched attempt of each stage. */
  readonly #sent = new Map<string, string>();
  readonly #watchers = new Set<() => void>();

  get items(): readonly FeedItem[] {
    return this.#items;
  }

  get version(): number {
    return this.#version;
  }

  /** Whether no event before these was removed by the retention. */
  get isComplete(): boolean {
    return this.#first?.isBeginning ?? false;
  }

  /** The number of dropped lines. */
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

  /** Adds a line for the removed events. Called once all available events are read. */
  markRemoved(): void {
    if (this.isComplete || this.#removed) return;
    this.#removed = { ...{ key: 0, kind: "gap", stageId: "", dispatchId: "", atMs: 0 }, text: removedText };
    this.#items = [this.#removed, ...this.#items];
    this.#changed();
  }

  /** Adds the turns from before the first available event. */
  addTurns(list: TurnList): void {
    if (this.#hasTurns) return;
    const items = itemsOf(list, this.#first?.atMs ?? Number.POSITIVE_INFINITY);
    this.#hasTurns = items.length > 0;
    if (this.#hasTurns && this.#removed) this.#removed.text += turnsText(list.turns.length, list.hasMore);
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
    const over = this.#items.length - maxItems;
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
    if (isRetry(step) && before !== undefined) item.after = before;
    if (dispatchId !== "") this.#sent.set(stageId, dispatchId);
  }

  /** The last pulse may have no line, only the number of omitted ones. */
  #pulse(record: EventRecord, { line, leftOut }: SandboxPulse): void {
    if (leftOut > 0) this.#push(record, "gap", linesText(leftOut), 0.5);
    if (leftOut === 0 || line !== "") this.#push(record, "terminal", line);
  }

  /** A fraction in `before` places a line that is not an event before its event. */
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
 * A transition to the same status: a retry, published when it is decided and when its attempt is dispatched, or a rewind
 * that restored an earlier attempt.
 */
function stepText({ dispatchId }: EventRecord, { fromState, toState }: TaskTransition): string {
  if (fromState !== toState) return `${fromState} → ${toState}`;
  const attempt = dispatchId.split("/").at(-1);
  if (!isRetry({ fromState, toState }))
    return `${toState} again${attempt ? `, with attempt ${attempt}` : ""}, after a rewind`;
  return dispatchId === "" ? "retry decided" : `retry: attempt ${attempt} dispatched`;
}

function isRetry({ fromState, toState }: Pick<TaskTransition, "fromState" | "toState">): boolean {
  return fromState === "DISPATCHED" && toState === "DISPATCHED";
}

/** Events do not name the cause of a retry. When the previous attempt asked, the cause is the answer. */
export function textOf(
  { text, after, stageId, dispatchId }: FeedItem,
  answered: ReadonlySet<string>,
): string {
  if (after === undefined || !answered.has(after)) return text;
  if (dispatchId === "") return `${stageId}: question answered`;
  return `${stageId}: attempt ${dispatchId.split("/").at(-1)} dispatched with the answer`;
}

/** The first event of a run is the transition from NONE. */
function firstOf({ event, stageId, recordedAt }: EventRecord) {
  const payload = event?.payload;
  const isBeginning =
    payload?.case === "taskTransition" && stageId === "" && payload.value.fromState === "NONE";
  return { atMs: recordedAt ? timestampMs(recordedAt) : 0, isBeginning };
}

/** Call ids are unique within an attempt only. */
function callOf({ dispatchId }: EventRecord, { callId }: { readonly callId: string }): string {
  return `call ${dispatchId} ${callId}`;
}

/** Programs are displayed as a command line, other tools with their arguments as JSON. */
function callText({ tool, arguments: given }: ToolLifecycleInvoked): string {
  const args = given?.args ?? given?.arguments;
  if (Array.isArray(args)) return [tool, ...args.map(String)].join(" ");
  const text = given === undefined ? "" : JSON.stringify(given);
  return text === "" || text === "{}" ? tool : `${tool} ${text}`;
}
