import { EventRecordSchema, ToolStatus } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { FeedStore } from "./feed-store.ts";

type Event = NonNullable<MessageInitShape<typeof EventRecordSchema>["event"]>;

function record(sequence: number, dispatchId: string, event: Event) {
  return create(EventRecordSchema, { sequence: BigInt(sequence), stageId: "build", dispatchId, event });
}

const begun = (sequence: number, dispatchId: string, tool: string) =>
  record(sequence, dispatchId, { payload: { case: "toolInvoked", value: { callId: "1", tool } } });

const ended = (sequence: number, dispatchId: string, tool: string, durationMs: number) =>
  record(sequence, dispatchId, {
    payload: {
      case: "toolCompleted",
      value: { callId: "1", tool, status: ToolStatus.SUCCESS, durationMs },
    },
  });

describe("the feed of a run", () => {
  it("[TUR-08] tells what came of a call with the call of the same attempt, though others number theirs alike", () => {
    const feed = new FeedStore();
    feed.add([
      begun(1, "p/a/1", "make"),
      begun(2, "p/b/1", "test"),
      record(3, "p/a/1", {
        payload: { case: "thoughtStream", value: { turnIndex: 1, chunk: "hm", isFinal: false } },
      }),
      ended(4, "p/a/1", "make", 10),
      ended(5, "p/b/1", "test", 20),
    ]);
    expect(feed.items.map(({ dispatchId, text, durationMs }) => [dispatchId, text, durationMs])).toEqual([
      ["p/a/1", "make", 10],
      ["p/b/1", "test", 20],
      ["p/a/1", "hm", undefined],
    ]);
  });
});
