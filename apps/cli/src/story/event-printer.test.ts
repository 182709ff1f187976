import { EventRecordSchema, ToolStatus, WithheldSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { EventPrinter } from "./event-printer.ts";

function begun(dispatchId: string, args: readonly string[]) {
  const value = { callId: "1", tool: "npm", arguments: { args: [...args] } };
  return create(EventRecordSchema, { dispatchId, event: { payload: { case: "toolInvoked", value } } });
}

function ended(dispatchId: string) {
  const value = { callId: "1", tool: "npm", status: ToolStatus.SUCCESS, durationMs: 10 };
  return create(EventRecordSchema, { dispatchId, event: { payload: { case: "toolCompleted", value } } });
}

describe("the story of events", () => {
  it("[TUR-08] prints a completed call with the command of its own attempt, though others use the same call id", () => {
    const printer = new EventPrinter(new Set());
    printer.print(begun("p/a/1", ["run", "build"]));
    printer.print(begun("p/b/1", ["test"]));
    expect(JSON.stringify(printer.print(ended("p/a/1"))[0]?.storyLine)).toContain("npm run build (");
    expect(JSON.stringify(printer.print(ended("p/b/1"))[0]?.storyLine)).toContain("npm test (");
  });

  it("[TUR-04] says what is not shown, and why", () => {
    const withheld = create(WithheldSchema, { code: "BATON-AGENT-008", reason: "it has 5000000 bytes" });
    const printer = new EventPrinter(new Set());
    expect(printer.print({ ...begun("p/a/1", []), withheld })).toMatchObject([
      {
        storyLine: {
          label: "withheld",
          statements: [{ text: "a call of a tool is not shown: it has 5000000 bytes (BATON-AGENT-008)" }],
        },
      },
    ]);
  });

  it("[PIP-02] prints a retry, which stays in its status", () => {
    const printer = new EventPrinter(new Set(["moves"]));
    const again = (dispatchId: string) => {
      const value = { taskId: "p/a", fromState: "DISPATCHED", toState: "DISPATCHED" };
      return create(EventRecordSchema, { dispatchId, event: { payload: { case: "taskTransition", value } } });
    };
    expect(printer.print(again(""))).toMatchObject([
      { storyLine: { statements: [{ text: "DISPATCHED, another attempt follows" }] } },
    ]);
    expect(printer.print(again("p/a/2"))).toMatchObject([
      { storyLine: { statements: [{ text: "DISPATCHED again, as p/a/2" }] } },
    ]);
  });

  it("[TUR-08] does not say that anything is tried again where a rewind put work back", () => {
    const printer = new EventPrinter(new Set(["moves"]));
    const back = (dispatchId: string, state: string) => {
      const value = { taskId: "p/a", fromState: state, toState: state };
      return create(EventRecordSchema, { dispatchId, event: { payload: { case: "taskTransition", value } } });
    };
    expect(printer.print(back("p/a/2", "COMPLETED"))).toMatchObject([
      { storyLine: { statements: [{ text: "COMPLETED again, as p/a/2, after a rewind" }] } },
    ]);
    expect(printer.print(back("", "RUNNING"))).toMatchObject([
      { storyLine: { statements: [{ text: "RUNNING again, after a rewind" }] } },
    ]);
  });
});
