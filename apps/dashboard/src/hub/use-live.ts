import type { EventRecord } from "@baton/contract/messages";
import { useCallback, useEffect, useRef, useState } from "react";
import { listen } from "./connection.ts";
import type { ChangeHint } from "./event-stream.ts";
import { onKeyChange } from "./key.ts";
import { type Problem, problemOf } from "./problem.ts";

export interface Live<Value> {
  /** What was read last; undefined before the first answer. */
  readonly value: Value | undefined;
  /** Why the last reading failed; the value before it stays. */
  readonly problem: Problem | undefined;
  readonly refresh: () => void;
}

export interface LiveOptions {
  /** Whether something that moved concerns what is shown. Without it, whatever moves does. */
  readonly touches?: (record: EventRecord) => boolean;
  /** Whether what the hub says has changed, with or without an event, concerns what is shown. */
  readonly changeHints?: (changeHint: ChangeHint) => boolean;
  /** For what changes by itself, with time. */
  readonly everyMs?: number;
  readonly disabled?: boolean;
}

/** Should the hub ever not tell of a change, it is seen this much later. */
export const fallbackMs = 30_000;

/** Whether something was stored of a run. */
export function concernsRun(pipelineId: string): (changeHint: ChangeHint) => boolean {
  return ({ many, pipelines }) => many || pipelines.includes(pipelineId);
}

/** What was read last, by key, so that a page that is come back to is there at once. */
const known = new Map<string, unknown>();
const mostKnown = 200;

// What another key could see is nothing to this one.
onKeyChange(() => known.clear());

/** At most so often is one thing read again, however much happens. */
const pauseMs = 300;

/**
 * Reads something from the hub and keeps it right: it is read again when something moved that concerns it, and when the
 * connection is back after it was lost.
 */
export function useLive<Value>(
  key: string,
  read: (signal: AbortSignal) => Promise<Value>,
  options: LiveOptions = {},
): Live<Value> {
  const { everyMs, disabled = false } = options;
  const [, show] = useState(0);
  const latest = useRef({ read, options });
  latest.current = { read, options };
  const problem = useRef<{ key: string; problem: Problem } | undefined>(undefined);
  const refreshNow = useRef<() => void>(() => {});

  useEffect(() => {
    if (disabled) return;
    const ending = new AbortController();
    let busy = false;
    let again = false;
    let timer = 0;
    const refresh = async () => {
      if (busy) {
        again = true;
        return;
      }
      busy = true;
      again = false;
      try {
        const value = await latest.current.read(ending.signal);
        if (ending.signal.aborted) return;
        remember(key, value);
        problem.current = undefined;
      } catch (error) {
        if (ending.signal.aborted) return;
        problem.current = { key, problem: problemOf(error) };
      }
      show((count) => count + 1);
      timer = window.setTimeout(() => {
        busy = false;
        if (again) void refresh();
      }, pauseMs);
    };
    refreshNow.current = () => void refresh();
    void refresh();
    const stops = [
      listen({
        onCaughtUp: () => void refresh(),
        onChangeHint: (changeHint) => {
          if (latest.current.options.changeHints?.(changeHint)) void refresh();
        },
        onRecords: (records) => {
          const touches = latest.current.options.touches ?? (() => true);
          if (records.some(touches)) void refresh();
        },
      }),
      onKeyChange(() => void refresh()),
    ];
    const polling =
      everyMs === undefined ? 0 : window.setInterval(() => document.hidden || void refresh(), everyMs);
    return () => {
      ending.abort();
      clearTimeout(timer);
      clearInterval(polling);
      for (const stop of stops) stop();
    };
  }, [key, everyMs, disabled]);

  const refresh = useCallback(() => refreshNow.current(), []);
  return {
    value: known.get(key) as Value | undefined,
    problem: problem.current?.key === key ? problem.current.problem : undefined,
    refresh,
  };
}

function remember(key: string, value: unknown): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
}
