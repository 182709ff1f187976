import type { EventRecord } from "@baton/contract/messages";
import { Store, useStore } from "../store.ts";
import { type ChangeHint, EventStream, type StreamState } from "./event-stream.ts";
import { onKeyChange } from "./key.ts";

/** Listens to the one event stream that all pages share. It reports changes of any run and the connection state. */
type Listener = {
  readonly onRecords?: (records: readonly EventRecord[]) => void;
  readonly onChangeHint?: (changeHint: ChangeHint) => void;
  readonly onCaughtUp: () => void;
};

const listeners = new Set<Listener>();
const state = new Store<StreamState>({ kind: "connecting" });
let stream: EventStream | undefined;

export function startConnection(): void {
  open();
  // Another key may see other data.
  onKeyChange(open);
  document.addEventListener("visibilitychange", () => document.hidden || stream?.wake());
}

function open(): void {
  stream?.stop();
  stream = new EventStream({
    filter: 'type = "TASK_TRANSITION"',
    resumes: false, // Everything is read again instead; a new store of the hub numbers events from one.
    onRecords: (records) => {
      for (const { onRecords } of listeners) onRecords?.(records);
    },
    onChangeHint: (changeHint) => {
      for (const { onChangeHint } of listeners) onChangeHint?.(changeHint);
    },
    onState: (next) => {
      state.set(next);
      // Missed changes are read again.
      if (next.kind === "live") for (const { onCaughtUp } of listeners) onCaughtUp();
    },
  });
}

export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConnection(): StreamState {
  return useStore(state);
}
