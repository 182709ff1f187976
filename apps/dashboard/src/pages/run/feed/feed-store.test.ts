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
import { FeedStore, mostItems, textOf } from "./feed-store.ts";

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
    const told = { turns, gaps: [], hasMore: false };
    feed.addTurns(told);
    feed.addTurns(told);
    expect(feed.items.map(({ text, kind, stageId }) => `${kind} ${stageId} ${text}`)).toEqual([
      "thought build first",
      "thought build second",
      "thought build third",
    ]);
    expect(new Set(feed.items.map(({ key }) => key)).size).toBe(3);
    const all = new FeedStore();
    all.addTurns(told);
    expect(all.items.map(({ text }) => text)).toEqual(["first", "second", "third"]);
  });

  it("[TUR-02] knows by its first transition that it has all events of a run", () => {
    const feed = new FeedStore();
    const taskTransition = { taskId: "p", fromState: "NONE", toState: "PENDING" };
    const first = record(4, "", { payload: { case: "taskTransition", value: taskTransition } });
    feed.add([{ ...first, stageId: "" }, begun(5, "p/a/1", "make")]);
    expect(feed.isWhole).toBe(true);
  });

  it("[TUR-02] says in its place that events were removed, and which turns are missing of those that stand in for them", () => {
    const at = (atMs: number) => ({ recordedAt: timestampFromMs(atMs) });
    const turn = (turnIndex: number, thought: string) =>
      create(TurnRecordSchema, {
        ...{ ...at(turnIndex * 10), stageId: "build", dispatchId: "p/build/1" },
        turn: { turnIndex, content: { thought } },
      });
    const gap = create(TurnGapSchema, { dispatchId: "p/build/1", firstIndex: 2, lastIndex: 4 });
    const feed = new FeedStore();
    feed.add([{ ...begun(7, "p/build/1", "make"), ...at(90) }]);
    feed.tellRemoved();
    feed.tellRemoved();
    const removed = "Events before this are not shown: they were removed because they were old.";
    expect(feed.items.map(({ text }) => text)).toEqual([removed, "make"]);
    feed.addTurns({ turns: [turn(1, "first"), turn(5, "fifth")], gaps: [gap], hasMore: true });
    expect(feed.items.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "thought first",
      "gap Turns 2 to 4 are not shown: lost on the way, or removed because of age.",
      "thought fifth",
      `gap ${removed} What was said by then is told from the turns, the first 2 of them; baton turns has all.`,
      "tool make",
    ]);
    expect(new Set(feed.items.map(({ key }) => key)).size).toBe(5);
    feed.clear();
    feed.tellRemoved();
    expect(feed.items.map(({ text }) => text)).toEqual([removed]);
  });

  it("[TUR-04] says in its place that an event or a turn cannot be shown, and why", () => {
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
      "gap Turn 3 is not shown whole: it has 5000000 bytes (BATON-AGENT-008).",
      "gap A call of a tool is not shown: it has 5000000 bytes (BATON-AGENT-008).",
    ]);
  });

  it("[TUR-04] says how many lines of a command were left out, where they were", () => {
    const feed = new FeedStore();
    const pulse = (sequence: number, line: string, leftOut = 0) =>
      record(sequence, "p/build/1", { payload: { case: "sandboxPulse", value: { line, leftOut } } });
    feed.add([pulse(1, "one"), pulse(2, "fourteen", 12), pulse(3, ""), pulse(4, "", 1)]);
    expect(feed.items.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "terminal one",
      "gap 12 lines are not shown: more came than are told while a command runs.",
      "terminal fourteen",
      "terminal ",
      "gap 1 line is not shown: more came than are told while a command runs.",
    ]);
    expect(new Set(feed.items.map(({ key }) => key)).size).toBe(5);
  });

  it("[TUR-04] counts the lines that are kept no more", () => {
    const feed = new FeedStore();
    feed.add(Array.from({ length: mostItems + 3 }, (_, place) => begun(place + 1, `p/${place}`, "make")));
    expect([feed.items.length, feed.trimmed]).toEqual([mostItems, 3]);
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

  it("[SAC-07] tells what goes on after an answer as that, and not as a retry", () => {
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
      "build: a person has answered, and the answer goes to another attempt",
      "build: attempt 2 is sent, with the answer",
      "build: is to be tried again",
      "build: tried again, attempt 3 is sent",
    ]);
  });

  it("[TUR-08] does not say that an attempt is sent where a rewind put its work back", () => {
    const feed = new FeedStore();
    const stays = (sequence: number, dispatchId: string, state: string) => {
      const value = { taskId: "p", fromState: state, toState: state };
      return record(sequence, dispatchId, { payload: { case: "taskTransition", value } });
    };
    feed.add([stays(5, "p/build/2", "COMPLETED"), stays(6, "", "READY")]);
    expect(feed.items.map(({ text }) => text)).toEqual([
      "build: COMPLETED again, as of attempt 2, after a rewind",
      "build: READY again, after a rewind",
    ]);
  });
});
