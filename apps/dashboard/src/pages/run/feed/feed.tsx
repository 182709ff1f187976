import "./feed.css";
import { AttemptEnding, type GetAttemptsResponse } from "@baton/contract/messages";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { FeedLine } from "./feed-line.tsx";
import { type FeedItem, type FeedKind, maxItems } from "./feed-store.ts";
import { trimmedText } from "./gaps.ts";
import { useFeed } from "./use-feed.ts";

/** Kinds with a filter. Gaps are always displayed. */
const kinds: readonly (readonly [FeedKind, string])[] = [
  ["thought", "Thought"],
  ["tool", "Tools"],
  ["terminal", "Terminal"],
  ["state", "State"],
];

interface FeedProps {
  readonly pipelineId: string;
  readonly stageId: string;
  /** Limits the feed to one attempt of the stage; empty for all. */
  readonly dispatchId: string;
  readonly activity: GetAttemptsResponse | undefined;
}

/** Thoughts, tool calls and output as they happen. Follows the end until the reader scrolls away. */
export function Feed({ pipelineId, stageId, dispatchId, activity }: FeedProps) {
  const { feed, state } = useFeed(pipelineId);
  const [hidden, setHidden] = useState<ReadonlySet<FeedKind>>(new Set());
  const [isWhole, setWhole] = useState(false);
  const { version } = feed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store changes in place; its version tracks the changes.
  const items = useMemo(() => {
    const isOfAttempt = (item: FeedItem) => dispatchId === "" || item.dispatchId === dispatchId;
    const isOfRun = (item: FeedItem) => item.kind === "gap" && item.stageId === "";
    const isAsked = (item: FeedItem) =>
      isWhole || isOfRun(item) || (item.stageId === stageId && isOfAttempt(item));
    return feed.items.filter((item) => isAsked(item) && !hidden.has(item.kind));
  }, [feed, version, stageId, dispatchId, isWhole, hidden]);
  const answered = useMemo(() => answeredIn(activity), [activity]);
  const toggle = (kind: FeedKind) => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    setHidden(next);
  };
  return (
    <section className="card feed" aria-label="Live feed">
      <header>
        <h2>Live feed</h2>
        <div className="chips">
          <button type="button" className="chip" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
            Whole run
          </button>
          {kinds.map(([kind, word]) => (
            <button
              key={kind}
              type="button"
              className="chip"
              aria-pressed={!hidden.has(kind)}
              onClick={() => toggle(kind)}
            >
              {word}
            </button>
          ))}
        </div>
      </header>
      <FeedLines
        items={items}
        isReading={state.kind === "connecting"}
        isWhole={isWhole}
        answered={answered}
      />
      {feed.trimmed > 0 && <p className="quiet feed-note">{trimmedText(feed.trimmed, maxItems)}</p>}
    </section>
  );
}

function answeredIn(activity: GetAttemptsResponse | undefined): ReadonlySet<string> {
  const answered = activity?.attempts.filter(({ ending }) => ending === AttemptEnding.ANSWERED) ?? [];
  return new Set(answered.map(({ dispatchId }) => dispatchId));
}

interface FeedLinesProps {
  readonly items: readonly FeedItem[];
  readonly isReading: boolean;
  readonly isWhole: boolean;
  readonly answered: ReadonlySet<string>;
}

function FeedLines({ items, isReading, isWhole, answered }: FeedLinesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const lines = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 26,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 20,
  });
  const last = items.at(-1);
  const length = last?.text.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: growth at the end keeps the end visible.
  useEffect(() => {
    if (isAtEnd && items.length > 0) lines.scrollToIndex(items.length - 1, { align: "end" });
  }, [items.length, length, isAtEnd]);
  const onScroll = () => {
    const { scrollTop, clientHeight, scrollHeight } = frame.current ?? {
      scrollTop: 0,
      clientHeight: 0,
      scrollHeight: 0,
    };
    setAtEnd(scrollHeight - scrollTop - clientHeight < 40);
  };
  // The button disappears, so the frame takes the focus.
  const goToEnd = () => {
    frame.current?.focus({ preventScroll: true });
    setAtEnd(true);
  };
  return (
    <div className="feed-frame">
      <div
        className="feed-lines"
        ref={frame}
        onScroll={onScroll}
        tabIndex={0}
        role="log"
        aria-label="Events"
        aria-live="off"
      >
        {items.length === 0 && (
          <p className="quiet feed-empty">
            {isReading
              ? "Loading events…"
              : "No events yet. Thoughts, tool calls and output of the agent appear here."}
          </p>
        )}
        <div style={{ height: lines.getTotalSize(), position: "relative" }}>
          {lines.getVirtualItems().map(({ index, key, start }) => {
            const item = items[index];
            return (
              item && (
                <div
                  key={key}
                  data-index={index}
                  ref={lines.measureElement}
                  className="feed-row"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <FeedLine item={item} withStage={isWhole} answered={answered} />
                </div>
              )
            );
          })}
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className="button small feed-end" onClick={goToEnd}>
          Jump to latest
        </button>
      )}
    </div>
  );
}
