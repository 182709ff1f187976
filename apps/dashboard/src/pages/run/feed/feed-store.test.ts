import {
  EventRecordSchema,
  ToolStatus,
  TurnGapSchema,
  TurnRecordSchema,
  WithheldSchema,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { FeedStore, maxItems, textOf } from "./feed-store.ts";

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
  it("[TUR-08] joins a tool call with its result by attempt and call id", () => {
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

  it("[TUR-02] fills in turns from before the first available event, without duplicates", () => {
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
    expect(feed.isComplete).toBe(false);
    const list = { turns, gaps: [], hasMore: false };
    feed.addTurns(list);
    feed.addTurns(list);
    expect(feed.items.map(({ text, kind, stageId }) => `${kind} ${stageId} ${text}`)).toEqual([
      "thought build first",
      "thought build second",
      "thought build third",
    ]);
    expect(new Set(feed.items.map(({ key }) => key)).size).toBe(3);
    const all = new FeedStore();
    all.addTurns(list);
    expect(all.items.map(({ text }) => text)).toEqual(["first", "second", "third"]);
  });

  it("[TUR-02] is complete when it has the first transition of the run", () => {
    const feed = new FeedStore();
    const taskTransition = { taskId: "p", fromState: "NONE", toState: "PENDING" };
    const first = record(4, "", { payload: { case: "taskTransition", value: taskTransition } });
    feed.add([{ ...first, stageId: "" }, begun(5, "p/a/1", "make")]);
    expect(feed.isComplete).toBe(true);
  });

  it("[TUR-02] marks removed events, and missing turns among those that replace them", () => {
    const at = (atMs: number) => ({ recordedAt: timestampFromMs(atMs) });
    const turn = (turnIndex: number, thought: string) =>
      create(TurnRecordSchema, {
        ...{ ...at(turnIndex * 10), stageId: "build", dispatchId: "p/build/1" },
        turn: { turnIndex, content: { thought } },
      });
    const gap = create(TurnGapSchema, { dispatchId: "p/build/1", firstIndex: 2, lastIndex: 4 });
    const feed = new FeedStore();
    feed.add([{ ...begun(7, "p/build/1", "make"), ...at(90) }]);
    feed.markRemoved();
    feed.markRemoved();
    const removed = "Earlier events were removed after their retention period.";
    expect(feed.items.map(({ text }) => text)).toEqual([removed, "make"]);
    feed.addTurns({ turns: [turn(1, "first"), turn(5, "fifth")], gaps: [gap], hasMore: true });
    expect(feed.items.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "thought first",
      "gap Turns 2 to 4 are missing: lost, or removed after their retention period.",
      "thought fifth",
      `gap ${removed} The lines above are the first 2 turns of the run. Run baton turns for all of them.`,
      "tool make",
    ]);
    expect(new Set(feed.items.map(({ key }) => key)).size).toBe(5);
    feed.clear();
    feed.markRemoved();
    expect(feed.items.map(({ text }) => text)).toEqual([removed]);
  });

  it("[TUR-04] marks withheld events and turns with the reason", () => {
    const withheld = create(WithheldSchema, { code: "BATON-AGENT-008", reason: "it has 5000000 bytes" });
    const feed = new FeedStore();
    feed.add([{ ...begun(7, "p/build/1", "make"), recordedAt: timestampFromMs(90), withheld }]);
    const turn = create(TurnRecordSchema, {
      ...{ dispatchId: "p/build/1", recordedAt: timestampFromMs(10), withheld },
      turn: { turnIndex: 3, content: { thought: "its beginning" } },
    });
    feed.addTurns({ turns: [turn], gaps: [], hasMore: false });
    expect(feed.items.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "thought its beginning",
      "gap Turn 3 is truncated: it has 5000000 bytes (BATON-AGENT-008).",
      "gap Tool call withheld: it has 5000000 bytes (BATON-AGENT-008).",
    ]);
  });

  it("[TUR-04] marks omitted output lines", () => {
    const feed = new FeedStore();
    const pulse = (sequence: number, line: string, leftOut = 0) =>
      record(sequence, "p/build/1", { payload: { case: "sandboxPulse", value: { line, leftOut } } });
    feed.add([pulse(1, "one"), pulse(2, "fourteen", 12), pulse(3, ""), pulse(4, "", 1)]);
    expect(feed.items.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "terminal one",
      "gap 12 lines omitted: the command prints faster than output is published.",
      "terminal fourteen",
      "terminal ",
      "gap 1 line omitted: the command prints faster than output is published.",
    ]);
    expect(new Set(feed.items.map(({ key }) => key)).size).toBe(5);
  });

  it("[TUR-04] counts the lines that it drops", () => {
    const feed = new FeedStore();
    feed.add(Array.from({ length: maxItems + 3 }, (_, place) => begun(place + 1, `p/${place}`, "make")));
    expect([feed.items.length, feed.trimmed]).toEqual([maxItems, 3]);
  });

  it("[TUR-04] lists a retry when it is decided and when it is dispatched", () => {
    const feed = new FeedStore();
    const value = { taskId: "p", fromState: "DISPATCHED", toState: "DISPATCHED" };
    const stays = (sequence: number, dispatchId: string) =>
      record(sequence, dispatchId, { payload: { case: "taskTransition", value } });
    feed.add([stays(5, ""), stays(6, "p/build/2")]);
    expect(feed.items.map(({ text }) => text.replace("build: ", ""))).toEqual([
      "retry decided",
      "retry: attempt 2 dispatched",
    ]);
  });

  it("[SAC-07] distinguishes the attempt after an answer from a retry", () => {
    const feed = new FeedStore();
    const step = (sequence: number, dispatchId: string, fromState: string) => {
      const value = { taskId: "p", fromState, toState: "DISPATCHED" };
      return record(sequence, dispatchId, { payload: { case: "taskTransition", value } });
    };
    feed.add([
      step(1, "p/build/1", "READY"),
      step(2, "", "DISPATCHED"),
      step(3, "p/build/2", "DISPATCHED"),
      step(4, "", "DISPATCHED"),
      step(5, "p/build/3", "DISPATCHED"),
    ]);
    expect(feed.items.map((item) => textOf(item, new Set(["p/build/1"])))).toEqual([
      "build: READY → DISPATCHED",
      "build: question answered",
      "build: attempt 2 dispatched with the answer",
      "build: retry decided",
      "build: retry: attempt 3 dispatched",
    ]);
  });

  it("[TUR-08] does not list an attempt as dispatched when a rewind restored it", () => {
    const feed = new FeedStore();
    const stays = (sequence: number, dispatchId: string, state: string) => {
      const value = { taskId: "p", fromState: state, toState: state };
      return record(sequence, dispatchId, { payload: { case: "taskTransition", value } });
    };
    feed.add([stays(5, "p/build/2", "COMPLETED"), stays(6, "", "READY")]);
    expect(feed.items.map(({ text }) => text)).toEqual([
      "build: COMPLETED again, with attempt 2, after a rewind",
      "build: READY again, after a rewind",
    ]);
  });
});
