import type { TurnGap } from "@baton/contract/messages";
import { useEffect, useState, useSyncExternalStore } from "react";
import { inspection } from "../../../hub/client.ts";
import { EventStream, type StreamState } from "../../../hub/event-stream.ts";
import { quoted, readPages } from "../../../hub/read-pages.ts";
import { FeedStore } from "./feed-store.ts";

/** Turns read for a run whose first events were removed. */
const maxTurns = 5_000;

/** Turns are kept longer than events and replace removed ones. */
async function addTurns(feed: FeedStore, pipelineId: string, signal: AbortSignal): Promise<void> {
  try {
    const gaps: TurnGap[] = [];
    const { rows, hasMore } = await readPages(maxTurns, async (place) => {
      const page = await inspection.getTurns({ ...place, pipelineId }, { signal });
      gaps.push(...page.gaps);
      return { rows: page.turns, nextPageToken: page.nextPageToken };
    });
    if (!signal.aborted) feed.addTurns({ turns: rows, gaps, hasMore });
  } catch {
    // Read again when the stream is live again.
  }
}

/** All stored events of a run, followed by live ones. */
export function useFeed(pipelineId: string): { readonly feed: FeedStore; readonly state: StreamState } {
  const [feed] = useState(() => new FeedStore());
  const [state, setState] = useState<StreamState>({ kind: "connecting" });
  useEffect(() => {
    const ending = new AbortController();
    const onState = (next: StreamState) => {
      setState(next);
      if (next.kind !== "live" || feed.isComplete) return;
      feed.markRemoved();
      void addTurns(feed, pipelineId, ending.signal);
    };
    const stream = new EventStream({
      filter: `pipeline_id = ${quoted(pipelineId)}`,
      after: 0n,
      resumes: true,
      onRecords: (records) => feed.add(records),
      onState,
      onRestart: () => feed.clear(),
    });
    return () => {
      ending.abort();
      stream.stop();
    };
  }, [pipelineId, feed]);
  useSyncExternalStore(
    (watcher) => feed.watch(watcher),
    () => feed.version,
  );
  return { feed, state };
}
