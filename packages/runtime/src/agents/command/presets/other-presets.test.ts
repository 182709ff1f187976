/** The presets for Codex and Gemini CLI, with programs that print lines of the form the real ones printed. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Outcome, PipelineStatus, type SafetyContextSchema, ToolStatus } from "@baton/contract";
import type { CommandPreset } from "@baton/kernel";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ended, submit } from "../../../../testing/test-hub.ts";
import { auditOf, eventsOf, hubWith, reaches } from "../testing/command-hub.ts";
import { packOf } from "../testing/packs.ts";

const answer = JSON.stringify({ status: "success", summary: "Wrote it" });
const command = "/bin/bash -lc 'cat hello.txt'";

const codexLines = [
  { type: "thread.started", thread_id: "t-1" },
  { type: "turn.started" },
  { type: "error", message: "Reconnecting... waiting for network" },
  { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "I look first." } },
  { type: "item.started", item: { id: "item_1", type: "command_execution", command, status: "in_progress" } },
  {
    type: "item.completed",
    item: {
      id: "item_1",
      type: "command_execution",
      command,
      aggregated_output: "hi\n",
      exit_code: 0,
      status: "completed",
    },
  },
  {
    type: "item.completed",
    item: {
      id: "item_2",
      type: "file_change",
      changes: [{ path: "hello.txt", kind: "add" }],
      status: "failed",
    },
  },
  { type: "item.completed", item: { id: "item_3", type: "agent_message", text: answer } },
  { type: "turn.completed", usage: { input_tokens: 200, cached_input_tokens: 10, output_tokens: 40 } },
];

const geminiLines = [
  { type: "init", session_id: "s-1", model: "gemini" },
  { type: "message", role: "user", content: "the prompt" },
  { type: "message", role: "assistant", content: "I look ", delta: true },
  { type: "message", role: "assistant", content: "first.", delta: true },
  { type: "tool_use", tool_name: "read_file", tool_id: "call-1", parameters: { file_path: "hello.txt" } },
  { type: "tool_result", tool_id: "call-1", status: "success", output: "hi" },
  { type: "tool_use", tool_name: "write_file", tool_id: "call-2", parameters: { file_path: "hello.txt" } },
  { type: "tool_result", tool_id: "call-2", status: "error", output: "", error: { message: "denied" } },
  { type: "message", role: "assistant", content: answer.slice(0, 10), delta: true },
  { type: "message", role: "assistant", content: answer.slice(10), delta: true },
  { type: "result", status: "success", stats: { total_tokens: 240, input_tokens: 200, output_tokens: 40 } },
];

/** A program of this name prints these lines; it says on standard error what it was called with. */
async function perform(
  preset: CommandPreset,
  lines: readonly object[],
  { exit = 0, safety }: { exit?: number; safety?: MessageInitShape<typeof SafetyContextSchema> } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "baton-preset-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const bin = join(folder, "bin");
  await mkdir(bin);
  const script = `#!${process.execPath}
    const { readFileSync } = require("node:fs");
    if (["--version", "login"].includes(process.argv[2])) process.exit(0);
    console.error("called with " + process.argv.slice(2).join(" "));
    console.error("asked " + readFileSync(0, "utf8").split("\\n", 1)[0]);
    for (const line of ${JSON.stringify(lines)}) console.log(JSON.stringify(line));
    process.exitCode = ${exit};`;
  await writeFile(join(bin, preset), script, { mode: 0o755 });
  const hub = await hubWith([packOf({ preset, model: "m-1", env: { PATH: `${bin}:${process.env.PATH}` } })]);
  const id = await submit(hub, safety ? { safety } : {});
  const events = await eventsOf(hub, id);
  const { status, stages } = await reaches(hub, id, ...ended, PipelineStatus.PAUSED);
  const printed = events.flatMap((one) => (one.case === "sandboxPulse" ? [one.value.line] : []));
  const rationales = (await auditOf(hub, id)).map(({ rationale }) => rationale).join("\n");
  return { status, result: stages[0]?.result, events, printed, rationales };
}

const stories = [
  [
    "codex",
    codexLines,
    ["shell", "edit"],
    "exec --json --skip-git-repo-check --ephemeral --sandbox workspace-write --model m-1 -",
  ],
  [
    "gemini",
    geminiLines,
    ["read_file", "write_file"],
    "--output-format stream-json --skip-trust --approval-mode auto_edit --model m-1",
  ],
] as const;

describe.each(stories)("the preset for %s", (preset, lines, tools, args) => {
  it("[TRN-03] passes a prompt, pairs its tools, publishes its thoughts, counts its tokens and finds its answer", async () => {
    const { status, result, events, printed } = await perform(preset, lines);
    expect(status).toBe(PipelineStatus.COMPLETED);
    expect(result?.status).toMatchObject({ outcome: Outcome.SUCCESS, summary: "Wrote it" });
    expect(result?.usage).toMatchObject({ inputTokens: 200n, outputTokens: 40n, costUnknown: true });
    expect(printed).toEqual([`called with ${args}`, "asked # Task: Do it"]);
    const invoked = events.flatMap((one) => (one.case === "toolInvoked" ? [one.value] : []));
    const completed = events.flatMap((one) => (one.case === "toolCompleted" ? [one.value] : []));
    expect(invoked.map(({ tool }) => tool)).toEqual(tools);
    expect(completed.map(({ callId }) => callId)).toEqual(invoked.map(({ callId }) => callId));
    expect(completed.map(({ status: how }) => how)).toEqual([ToolStatus.SUCCESS, ToolStatus.FAILURE]);
    const thoughts = events.flatMap((one) => (one.case === "thoughtStream" ? [one.value.chunk] : []));
    expect(thoughts.join("")).toContain("I look first.");
    const beforeTool = events.slice(
      0,
      events.findIndex((one) => one.case === "toolInvoked"),
    );
    const chunks = beforeTool.flatMap((one) => (one.case === "thoughtStream" ? [one.value.chunk] : []));
    expect(chunks.join("")).toBe("I look first.\n");
  });

  it("[TRN-03] [DIS-17] loses the attempt when it fails without an answer", async () => {
    const { status, result } = await perform(preset, lines.slice(0, 4), { exit: 1 });
    expect(status).toBe(PipelineStatus.PAUSED);
    expect(result).toBeUndefined();
  });
});

it.each([
  ["codex", { toolDenylist: ["shell"] }, "--sandbox read-only"],
  ["codex", { toolAllowlist: ["edit"] }, "--sandbox read-only"],
  ["gemini", { toolDenylist: ["write_file"] }, "--approval-mode plan"],
  [
    "gemini",
    { toolAllowlist: ["read_file", "replace"] },
    "--approval-mode default --allowed-tools read_file,replace",
  ],
] as const)("[TRN-03] [DIS-16] %s with %j is called with %s", async (preset, { ...lists }, option) => {
  const safety = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list]]));
  const { printed } = await perform(preset, preset === "codex" ? codexLines : geminiLines, { safety });
  expect(printed[0]).toContain(option);
});

const pushing = {
  codex: [
    {
      type: "item.completed",
      item: {
        ...{ id: "item_1", type: "command_execution", command: "/bin/bash -lc 'git push --force'" },
        ...{ aggregated_output: "", exit_code: 1, status: "failed" },
      },
    },
    ...codexLines.slice(-2),
  ],
  gemini: [
    {
      ...{ type: "tool_use", tool_name: "run_shell_command", tool_id: "call-1" },
      parameters: { command: "git push --force" },
    },
    { type: "tool_result", tool_id: "call-1", status: "error", output: "", error: { message: "exit 1" } },
    ...geminiLines.slice(-3),
  ],
} as const;

describe.each(["codex", "gemini"] as const)("%s, which does not restrain itself", (preset) => {
  it("[TRN-03] [DIS-16] is held for a prohibited command also when that failed", async () => {
    const safety = { prohibitedActions: ["git push"] };
    const { status, rationales } = await perform(preset, pushing[preset], { safety });
    expect(status).toBe(PipelineStatus.PAUSED);
    expect(rationales).toContain('the agent did "git push", which is prohibited');
  });

  it("[TRN-03] [DIS-16] has its steps counted while it works", async () => {
    // It never says how many steps it took.
    const lines = preset === "codex" ? codexLines.slice(0, -2) : geminiLines.slice(0, -3);
    const safety = { maxAutonomousSteps: 1 };
    const { status, rationales } = await perform(preset, lines, { exit: 1, safety });
    expect(status).toBe(PipelineStatus.PAUSED);
    expect(rationales).toContain("autonomous steps, and 1 were allowed");
  });
});
