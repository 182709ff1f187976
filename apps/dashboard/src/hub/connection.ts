import type { EventRecord } from "@baton/contract/messages";
import { useSyncExternalStore } from "react";
import { type ChangeHint, EventStream, type StreamState } from "./event-stream.ts";
import { onKeyChange } from "./key.ts";

/**
 * The one stream that every page lives from: what moved, of whatever run. It says whether the hub is there, and wakes
 * whoever shows something that has changed.
 */
type Listener = {
  readonly onRecords?: (records: readonly EventRecord[]) => void;
  readonly onChangeHint?: (changeHint: ChangeHint) => void;
  readonly onCaughtUp: () => void;
};

const listeners = new Set<Listener>();
const watchers = new Set<() => void>();

let state: StreamState = { kind: "connecting" };
let stream: EventStream | undefined;

export function startConnection(): void {
  open();
  // Another key may see other things.
  onKeyChange(open);
  document.addEventListener("visibilitychange", () => document.hidden || stream?.wake());
}

function open(): void {
  stream?.stop();
  stream = new EventStream({
    filter: 'type = "TASK_TRANSITION"',
    resumes: false, // All that is shown is read again then; and a hub that was set up anew counts from one.
    onRecords: (records) => {
      for (const { onRecords } of listeners) onRecords?.(records);
    },
    onChangeHint: (changeHint) => {
      for (const { onChangeHint } of listeners) onChangeHint?.(changeHint);
    },
    onState: (next) => {
      state = next;
      for (const watcher of watchers) watcher();
      // Whatever was missed, or changed without an event, is read again.
      if (next.kind === "live") for (const { onCaughtUp } of listeners) onCaughtUp();
    },
  });
}

export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConnection(): StreamState {
  return useSyncExternalStore(
    (onChange) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    () => state,
  );
}
