import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { useSyncExternalStore } from "react";
import { formatAgo, formatDate, formatSpan, isoOf, msOf } from "./format-time.ts";

const watchers = new Set<() => void>();
let nowMs = Date.now();
let ticking = 0;

/** The time, updated every second while it is displayed. */
export function useNow(): number {
  return useSyncExternalStore(
    (onChange) => {
      watchers.add(onChange);
      if (watchers.size === 1) {
        ticking = window.setInterval(() => {
          nowMs = Date.now();
          for (const watcher of watchers) watcher();
        }, 1_000);
      }
      return () => {
        watchers.delete(onChange);
        if (watchers.size === 0) clearInterval(ticking);
      };
    },
    () => nowMs,
  );
}

export function Ago({ at }: { readonly at: Timestamp | undefined }) {
  const now = useNow();
  const atMs = msOf(at);
  if (atMs === undefined) return null;
  const iso = isoOf(atMs);
  return (
    <time dateTime={iso} title={formatDate(atMs)}>
      {formatAgo(atMs, now)}
    </time>
  );
}

/** A duration. Without an end it keeps counting. */
export function Span({
  from,
  to,
}: {
  readonly from: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
}) {
  const now = useNow();
  const fromMs = msOf(from);
  if (fromMs === undefined) return null;
  const toMs = msOf(to);
  return <span>{formatSpan((toMs ?? Math.floor(now / 1_000) * 1_000) - fromMs)}</span>;
}
