import { useEffect, useState, useSyncExternalStore } from "react";
import { inspection } from "../../../hub/client.ts";
import { EventStream, type StreamState } from "../../../hub/event-stream.ts";
import { quoted } from "../../../hub/quoted.ts";
import { readPages } from "../../../hub/read-pages.ts";
import { FeedStore } from "./feed-store.ts";

/** Turns that are read of a run whose first events are gone. */
const mostTurns = 5_000;

/** Turns are kept longer than events: where these no longer reach back, what agents said is told from those. */
async function addTurns(feed: FeedStore, pipelineId: string, signal: AbortSignal): Promise<void> {
  try {
    const { rows } = await readPages(mostTurns, async (place) => {
      const { turns, nextPageToken } = await inspection.getTurns({ ...place, pipelineId }, { signal });
      return { rows: turns, nextPageToken };
    });
    if (!signal.aborted) feed.addTurns(rows);
  } catch {
    // They are read when the stream is live again.
  }
}

/** Everything that was told of a run, from its beginning on, and what is told now. */
export function useFeed(pipelineId: string): { readonly feed: FeedStore; readonly state: StreamState } {
  const [feed] = useState(() => new FeedStore());
  const [state, setState] = useState<StreamState>({ kind: "connecting" });
  useEffect(() => {
    const ending = new AbortController();
    const onState = (next: StreamState) => {
      setState(next);
      if (next.kind === "live" && !feed.isWhole) void addTurns(feed, pipelineId, ending.signal);
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
