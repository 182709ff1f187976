import type { EventRecord } from "@baton/contract/messages";
import { useCallback, useEffect, useRef, useState } from "react";
import { listen } from "./connection.ts";
import type { ChangeHint } from "./event-stream.ts";
import { onKeyChange } from "./key.ts";
import { type Problem, problemOf } from "./problem.ts";

export interface Live<Value> {
  /** The last value; undefined before the first response. */
  readonly value: Value | undefined;
  /** Why the last read failed. The previous value stays. */
  readonly problem: Problem | undefined;
  readonly refresh: () => void;
}

export interface LiveOptions {
  /** Whether an event affects the value. By default every event does. */
  readonly touches?: (record: EventRecord) => boolean;
  /** Whether a change hint affects the value. By default none does. */
  readonly changeHints?: (changeHint: ChangeHint) => boolean;
  /** For values that change with time. */
  readonly everyMs?: number;
  readonly disabled?: boolean;
}

/** Limits how long a missed change hint goes unnoticed. */
export const fallbackMs = 30_000;

export function concernsRun(pipelineId: string): (changeHint: ChangeHint) => boolean {
  return ({ many, pipelines }) => many || pipelines.includes(pipelineId);
}

/** The last values by key, so that a page is complete at once when it is opened again. */
const known = new Map<string, unknown>();
const maxKnown = 200;

// Another key must not see these values.
onKeyChange(() => known.clear());

/** The shortest time between two reads of a value. */
const pauseMs = 300;

/** Reads a value from the hub, and reads it again after changes and reconnects. */
export function useLive<Value>(
  key: string,
  read: (signal: AbortSignal) => Promise<Value>,
  options: LiveOptions = {},
): Live<Value> {
  const { everyMs, disabled = false } = options;
  const [, rerender] = useState(0);
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
      rerender((count) => count + 1);
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
  if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
}
