import type { TurnGap, TurnRecord } from "@baton/contract/messages";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { FeedItem } from "./feed-store.ts";
import { missingTurnsText, truncatedTurnText } from "./gaps.ts";

export interface TurnList {
  readonly turns: readonly TurnRecord[];
  readonly gaps: readonly TurnGap[];
  readonly hasMore: boolean;
}

/** The turns before a time as feed lines, in order, with a line for each gap. */
export function itemsOf({ turns, gaps }: TurnList, endMs: number): readonly FeedItem[] {
  const before = new Map(gaps.map((gap) => [`${gap.dispatchId} ${gap.lastIndex + 1}`, gap]));
  const items = turns
    .filter(({ recordedAt }) => recordedAt && timestampMs(recordedAt) < endMs)
    .flatMap((record) => {
      const gap = before.get(`${record.dispatchId} ${record.turn?.turnIndex ?? -1}`);
      const missing = gap && itemOf(record, "gap", missingTurnsText(gap));
      const { turn, withheld } = record;
      const cut = turn && withheld && itemOf(record, "gap", truncatedTurnText(turn, withheld));
      const { thought = "", action = "" } = record.turn?.content ?? {};
      const text = thought || action;
      const spoken = text === "" ? undefined : itemOf(record, "thought", text);
      return [missing, spoken, cut].filter((item) => item !== undefined);
    })
    .toSorted((a, b) => a.atMs - b.atMs);
  // Event keys start at one, so earlier lines get keys below.
  return items.map((item, place) => ({ ...item, key: place - items.length }));
}

function itemOf(record: TurnRecord, kind: FeedItem["kind"], text: string): FeedItem {
  const { stageId, dispatchId, recordedAt } = record;
  return { key: 0, kind, stageId, dispatchId, atMs: recordedAt ? timestampMs(recordedAt) : 0, text };
}
