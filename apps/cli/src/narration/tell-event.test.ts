import { EventRecordSchema, ToolStatus, WithheldSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { EventTeller } from "./tell-event.ts";

function begun(dispatchId: string, args: readonly string[]) {
  const value = { callId: "1", tool: "npm", arguments: { args: [...args] } };
  return create(EventRecordSchema, { dispatchId, event: { payload: { case: "toolInvoked", value } } });
}

function ended(dispatchId: string) {
  const value = { callId: "1", tool: "npm", status: ToolStatus.SUCCESS, durationMs: 10 };
  return create(EventRecordSchema, { dispatchId, event: { payload: { case: "toolCompleted", value } } });
}

describe("the story of events", () => {
  it("[TUR-08] tells a call that returned as its own attempt began it, though others number theirs alike", () => {
    const teller = new EventTeller(new Set());
    teller.tell(begun("p/a/1", ["run", "build"]));
    teller.tell(begun("p/b/1", ["test"]));
    expect(JSON.stringify(teller.tell(ended("p/a/1"))[0]?.beat)).toContain("npm run build (");
    expect(JSON.stringify(teller.tell(ended("p/b/1"))[0]?.beat)).toContain("npm test (");
  });

  it("[TUR-04] says what is not shown, and why", () => {
    const withheld = create(WithheldSchema, { code: "BATON-AGENT-008", reason: "it has 5000000 bytes" });
    const teller = new EventTeller(new Set());
    expect(teller.tell({ ...begun("p/a/1", []), withheld })).toMatchObject([
      {
        beat: {
          label: "withheld",
          said: [{ text: "a call of a tool is not shown: it has 5000000 bytes (BATON-AGENT-008)" }],
        },
      },
    ]);
  });

  it("[PIP-02] tells of a retry, which stays in its status", () => {
    const teller = new EventTeller(new Set(["moves"]));
    const again = (dispatchId: string) => {
      const value = { taskId: "p/a", fromState: "DISPATCHED", toState: "DISPATCHED" };
      return create(EventRecordSchema, { dispatchId, event: { payload: { case: "taskTransition", value } } });
    };
    expect(teller.tell(again(""))).toMatchObject([
      { beat: { said: [{ text: "DISPATCHED, another attempt follows" }] } },
    ]);
    expect(teller.tell(again("p/a/2"))).toMatchObject([
      { beat: { said: [{ text: "DISPATCHED again, as p/a/2" }] } },
    ]);
  });

  it("[TUR-08] does not say that anything is tried again where a rewind put work back", () => {
    const teller = new EventTeller(new Set(["moves"]));
    const back = (dispatchId: string, state: string) => {
      const value = { taskId: "p/a", fromState: state, toState: state };
      return create(EventRecordSchema, { dispatchId, event: { payload: { case: "taskTransition", value } } });
    };
    expect(teller.tell(back("p/a/2", "COMPLETED"))).toMatchObject([
      { beat: { said: [{ text: "COMPLETED again, as p/a/2, after a rewind" }] } },
    ]);
    expect(teller.tell(back("", "RUNNING"))).toMatchObject([
      { beat: { said: [{ text: "RUNNING again, after a rewind" }] } },
    ]);
  });
});
