import { useEffect, useState, useSyncExternalStore } from "react";
import { EventStream, type StreamState } from "../../../hub/event-stream.ts";
import { quoted } from "../../runs/runs-filter.ts";
import { FeedStore } from "./feed-store.ts";

/** Everything that was told of a run, from its beginning on, and what is told now. */
export function useFeed(pipelineId: string): { readonly feed: FeedStore; readonly state: StreamState } {
  const [feed] = useState(() => new FeedStore());
  const [state, setState] = useState<StreamState>({ kind: "connecting" });
  useEffect(() => {
    const stream = new EventStream({
      filter: `pipeline_id = ${quoted(pipelineId)}`,
      after: 0n,
      resumes: true,
      onRecords: (records) => feed.add(records),
      onState: setState,
      onRestart: () => feed.clear(),
    });
    return () => stream.stop();
  }, [pipelineId, feed]);
  useSyncExternalStore(
    (watcher) => feed.watch(watcher),
    () => feed.version,
  );
  return { feed, state };
}
