import { createHash } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AgentRole,
  ArtifactAction,
  Complexity,
  EventSchema,
  Outcome,
  ToolStatus,
  TurnEnvelopeSchema,
  validate,
} from "@baton/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EnvelopeGiven, envelope, type RunOptions, runAgent } from "../../testing/index.ts";
import type { Task } from "./task.ts";

let workspace = "";
beforeAll(async () => {
  workspace = await realpath(await mkdtemp(join(tmpdir(), "baton-agent-")));
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

function run(work: (task: Task) => unknown, given: EnvelopeGiven = {}, options?: RunOptions) {
  const definition = {
    pack: "qa",
    version: "1.0.0",
    taskTypes: [],
    role: "reviewer" as const,
    run: async (task: Task) => {
      await work(task);
      return task.success("done");
    },
  };
  return runAgent(definition, envelope(given), options);
}

describe("turns and thoughts", () => {
  it("[TUR-02] a turn carries what was thought, and its place", async () => {
    const { turns, events } = await run((task) => {
      task.think("first ");
      task.think("second");
      task.turn({ confidence: 0.25, action: "look", observation: "nothing", complexity: "high" });
      task.turn({ confidence: 1, thought: "own words", role: "developer" });
    });
    expect(turns).toMatchObject([
      {
        turnIndex: 0,
        agentId: AgentRole.REVIEWER,
        role: AgentRole.REVIEWER,
        packId: "qa",
        content: { thought: "first second", action: "look", observation: "nothing" },
        metadata: {
          version: "1.0.0",
          taskId: "task-1",
          confidence: 0.25,
          estimatedComplexity: Complexity.HIGH,
        },
      },
      { turnIndex: 1, role: AgentRole.DEVELOPER, content: { thought: "own words" } },
    ]);
    expect(events.map(({ payload }) => payload.value)).toMatchObject([
      { turnIndex: 0, chunk: "first ", isFinal: false },
      { turnIndex: 0, chunk: "second", isFinal: false },
      { turnIndex: 0, chunk: "", isFinal: true },
    ]);
    for (const turn of turns) expect(validate(TurnEnvelopeSchema, turn)).toEqual([]);
    for (const event of events) expect(validate(EventSchema, event)).toEqual([]);
  });

  it("a confidence that is none is an error of the author", async () => {
    const { turns, result } = await run((task) => task.turn({ confidence: 2 }));
    expect(turns).toEqual([]);
    expect(result?.status?.failureReason).toContain("confidence");
  });
});

describe("tools that are functions", () => {
  it("[SAC-08] are told as events that pair, and give back what they return", async () => {
    const { events } = await run(async (task) => {
      expect(await task.tool("add", { a: 1, b: 2 }, ({ a, b }) => a + b)).toBe(3);
      await expect(task.tool("fail", {}, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    });
    expect(events.map(({ payload }) => payload.value)).toMatchObject([
      { tool: "add", arguments: { a: 1, b: 2 } },
      { tool: "add", status: ToolStatus.SUCCESS },
      { tool: "fail" },
      { tool: "fail", status: ToolStatus.FAILURE },
    ]);
  });

  it("[TUR-05] that never return complete as a timeout", async () => {
    const deadline = new AbortController();
    const { events, result } = await run(
      (task) =>
        task.tool("hang", {}, (_, signal) => {
          const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
          deadline.abort();
          return stopped;
        }),
      {},
      { deadline: deadline.signal },
    );
    expect(events.map(({ payload }) => payload.value)).toMatchObject([
      { tool: "hang" },
      { tool: "hang", status: ToolStatus.TIMEOUT },
    ]);
    expect(result?.status?.failureCode).toBe("DEADLINE_EXCEEDED");
  });
});

describe("after the attempt is over", () => {
  it("[DIS-13] nothing counts that the function does", async () => {
    const cancel = new AbortController();
    const { result, turns, events } = await run(
      async (task) => {
        task.turn({ confidence: 1 });
        cancel.abort();
        expect(task.signal.aborted).toBe(true);
        expect(() => task.turn({ confidence: 1 })).toThrow("cancelled");
        expect(() => task.think("more")).toThrow("cancelled");
        expect(() => task.step()).toThrow("cancelled");
        await expect(task.exec("node", ["-e", "0"])).rejects.toMatchObject({ name: "TaskStopped" });
        await expect(task.tool("x", {}, () => 1)).rejects.toThrow("cancelled");
      },
      {},
      { cancel: cancel.signal },
    );
    expect(result).toBeUndefined();
    expect(turns).toHaveLength(1);
    expect(events).toEqual([]);
  });

  it("[DIS-13] a deadline that has passed ends it before it begins", async () => {
    const begin = () => expect.unreachable();
    const { result, problems } = await run(begin, { deadlineMs: Date.now() - 1_000 });
    expect(problems).toEqual([]);
    expect(result?.status).toMatchObject({
      outcome: Outcome.RETRYABLE_FAILURE,
      failureCode: "DEADLINE_EXCEEDED",
    });
  });

  it("[DIS-13] the answer at the deadline brings the evidence there is", async () => {
    const deadline = new AbortController();
    const { result } = await run(
      (task) => {
        task.evidence({ check: "other", command: "half", passed: true });
        deadline.abort();
      },
      {},
      { deadline: deadline.signal },
    );
    const payload = result?.evidence?.evidencePayload;
    expect(payload?.case === "items" && payload.value.items).toMatchObject([{ command: "half" }]);
  });
});

describe("artifacts", () => {
  it("are named by their path in the workspace, with the digest of their content", async () => {
    await mkdir(join(workspace, "src"), { recursive: true });
    await writeFile(join(workspace, "src/new.ts"), "new");
    await writeFile(join(workspace, "old.ts"), "old");
    const { result } = await run(
      async (task) => {
        await task.artifact("src/new.ts");
        await task.artifact(join(workspace, "old.ts"));
        await task.artifact("gone.ts");
      },
      { workspace, expectedFiles: { create: ["src/new.ts"] } },
    );
    const digest = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
    expect(result?.artifacts).toMatchObject([
      { path: "src/new.ts", action: ArtifactAction.CREATED, digest: digest("new") },
      { path: "old.ts", action: ArtifactAction.MODIFIED, digest: digest("old") },
      { path: "gone.ts", action: ArtifactAction.DELETED, digest: "" },
    ]);
  });

  it("lie inside the workspace, also when a link leads out", async () => {
    await symlink(tmpdir(), join(workspace, "out"));
    for (const path of ["../escape", "/etc/hostname", "out/file", "."]) {
      const { result } = await run((task) => task.artifact(path), { workspace });
      expect(result?.status?.failureReason).toContain(path);
      expect(result?.status?.failureCode).toBe("BATON-SDK-012");
    }
  });

  it("that were not deleted are there", async () => {
    const { result } = await run((task) => task.artifact("missing", "created"), { workspace });
    expect(result?.status?.failureReason).toBe("there is no file missing");
  });
});

describe("what a task knows", () => {
  it("gives inputs, answers and feedback as they were sent", async () => {
    const seen: unknown[] = [];
    await run(
      ({ inputs, answers, feedback, workspace: folder }) => seen.push(inputs, answers, feedback, folder),
      {
        inputs: { names: ["a"] },
        clarifications: [{ question: "which?", answer: "this" }],
        reviewFeedback: { rejectedAttempt: 1, instructions: ["mend it"] },
      },
    );
    expect(seen).toMatchObject([
      { names: ["a"] },
      [{ question: "which?", answer: "this" }],
      { instructions: ["mend it"] },
      undefined,
    ]);
  });
});
