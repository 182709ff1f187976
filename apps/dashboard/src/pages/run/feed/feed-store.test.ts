import { EventRecordSchema, ToolStatus, TurnRecordSchema } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
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

  it("[TUR-02] tells from the turns what was said before the first event that is left, and nothing twice", () => {
    const at = (atMs: number) => ({ recordedAt: timestampFromMs(atMs) });
    const turn = (atMs: number, thought: string, action = "") =>
      create(TurnRecordSchema, {
        ...{ ...at(atMs), stageId: "build", dispatchId: "p/build/1" },
        turn: { content: { thought, action } },
      });
    const thought = record(7, "p/build/1", {
      payload: { case: "thoughtStream", value: { turnIndex: 2, chunk: "third", isFinal: true } },
    });
    const turns = [turn(10, "first"), turn(20, "", "second"), turn(30, "third"), turn(5, "")];
    const feed = new FeedStore();
    feed.add([{ ...thought, ...at(30) }]);
    expect(feed.isWhole).toBe(false);
    feed.addTurns(turns);
    feed.addTurns(turns);
    expect(feed.items.map(({ text, kind, stageId }) => `${kind} ${stageId} ${text}`)).toEqual([
      "thought build first",
      "thought build second",
      "thought build third",
    ]);
    expect(new Set(feed.items.map(({ key }) => key)).size).toBe(3);
    expect(feed.hasTurns).toBe(true);
    const all = new FeedStore();
    all.addTurns(turns);
    expect(all.items.map(({ text }) => text)).toEqual(["first", "second", "third"]);
  });

  it("[TUR-02] knows by its first transition that it has all events of a run", () => {
    const feed = new FeedStore();
    const taskTransition = { taskId: "p", fromState: "NONE", toState: "PENDING" };
    const first = record(4, "", { payload: { case: "taskTransition", value: taskTransition } });
    feed.add([{ ...first, stageId: "" }, begun(5, "p/a/1", "make")]);
    expect(feed.isWhole).toBe(true);
  });

  it("[TUR-04] tells a retry as what it is, when it is decided and when it is sent", () => {
    const feed = new FeedStore();
    const value = { taskId: "p", fromState: "DISPATCHED", toState: "DISPATCHED" };
    const stays = (sequence: number, dispatchId: string) =>
      record(sequence, dispatchId, { payload: { case: "taskTransition", value } });
    feed.add([stays(5, ""), stays(6, "p/build/2")]);
    expect(feed.items.map(({ text }) => text.replace(/^.*: /, ""))).toEqual([
      "is to be tried again",
      "tried again, attempt 2 is sent",
    ]);
  });
});
