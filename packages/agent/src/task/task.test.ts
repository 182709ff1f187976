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
import { type EnvelopeInput, envelope, type RunOptions, runAgent } from "../../testing/index.ts";
import type { Task } from "../api/task.ts";

let workspace = "";
beforeAll(async () => {
  workspace = await realpath(await mkdtemp(join(tmpdir(), "baton-agent-")));
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

function run(work: (task: Task) => unknown, given: EnvelopeInput = {}, options?: RunOptions) {
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
  it("[TUR-02] a turn has its thoughts and its index", async () => {
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

  it("an invalid confidence is an error", async () => {
    const { turns, result } = await run((task) => task.turn({ confidence: 2 }));
    expect(turns).toEqual([]);
    expect(result?.status?.failureReason).toContain("confidence");
  });
});

describe("tools that are functions", () => {
  it("[SAC-08] publish a pair of events, and return their value", async () => {
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
  it("[DIS-13] run() has no effect", async () => {
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

  it("[DIS-13] a past deadline ends it before it starts", async () => {
    const begin = () => expect.unreachable();
    const { result, problems } = await run(begin, { deadlineMs: Date.now() - 1_000 });
    expect(problems).toEqual([]);
    expect(result?.status).toMatchObject({
      outcome: Outcome.RETRYABLE_FAILURE,
      failureCode: "DEADLINE_EXCEEDED",
    });
  });

  it("[DIS-13] the result at the deadline contains the evidence so far", async () => {
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
  it("have their path in the workspace and a digest of their content", async () => {
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

  it("must be inside the workspace, also through links", async () => {
    await symlink(tmpdir(), join(workspace, "out"));
    for (const path of ["../escape", "/etc/hostname", "out/file", "."]) {
      const { result } = await run((task) => task.artifact(path), { workspace });
      expect(result?.status?.failureReason).toContain(path);
      expect(result?.status?.failureCode).toBe("BATON-SDK-012");
    }
  });

  it("must exist unless deleted", async () => {
    const { result } = await run((task) => task.artifact("missing", "created"), { workspace });
    expect(result?.status?.failureReason).toBe("file missing does not exist");
  });
});

describe("a task", () => {
  it("has inputs, answers and feedback as sent", async () => {
    const seen: unknown[] = [];
    await run(
      ({ inputs, answers, feedback, workspace: folder }) => seen.push(inputs, answers, feedback, folder),
      {
        inputs: { names: ["a"] },
        clarifications: [{ question: "which?", answer: "this" }],
        reviewFeedback: { rejectedAttempt: 1, instructions: ["fix it"] },
      },
    );
    expect(seen).toMatchObject([
      { names: ["a"] },
      [{ question: "which?", answer: "this" }],
      { instructions: ["fix it"] },
      undefined,
    ]);
  });
});
