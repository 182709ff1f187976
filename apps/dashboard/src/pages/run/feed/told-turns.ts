import type { TurnGap, TurnRecord } from "@baton/contract/messages";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { FeedItem } from "./feed-store.ts";
import { cutTurnText, missingTurnsText } from "./gaps.ts";

/** Turns of a run, as they are read. */
export interface ToldTurns {
  readonly turns: readonly TurnRecord[];
  readonly gaps: readonly TurnGap[];
  /** Whether there are more than were read. */
  readonly hasMore: boolean;
}

/** What was said before a time, in its order, with a line where turns are missing in between. */
export function itemsOf({ turns, gaps }: ToldTurns, endMs: number): readonly FeedItem[] {
  const before = new Map(gaps.map((gap) => [`${gap.dispatchId} ${gap.lastIndex + 1}`, gap]));
  const items = turns
    .filter(({ recordedAt }) => recordedAt && timestampMs(recordedAt) < endMs)
    .flatMap((record) => {
      const gap = before.get(`${record.dispatchId} ${record.turn?.turnIndex ?? -1}`);
      const missing = gap && itemOf(record, "gap", missingTurnsText(gap));
      const { turn, withheld } = record;
      const cut = turn && withheld && itemOf(record, "gap", cutTurnText(turn, withheld));
      const { thought = "", action = "" } = record.turn?.content ?? {};
      const text = thought || action;
      const said = text === "" ? undefined : itemOf(record, "thought", text);
      return [missing, said, cut].filter((item) => item !== undefined);
    })
    .toSorted((a, b) => a.atMs - b.atMs);
  // Events are numbered from one: what comes before them has numbers below.
  return items.map((item, place) => ({ ...item, key: place - items.length }));
}

function itemOf(record: TurnRecord, kind: FeedItem["kind"], text: string): FeedItem {
  const { stageId, dispatchId, recordedAt } = record;
  return { key: 0, kind, stageId, dispatchId, atMs: recordedAt ? timestampMs(recordedAt) : 0, text };
}
