import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type AgentOptions, startAgent } from "@baton/agent";
import { assertPath, readPath, runTask } from "@baton/agent/testing";
import { startModelAgent } from "@baton/models";
import { scriptedModel } from "@baton/models/testing";
import { expect, it, onTestFinished } from "vitest";
import { startHub } from "../testing/run.ts";
import { researcher } from "./researcher.ts";

const examples = resolve(import.meta.dirname, "..");

/** A hub with the workflow of `find-the-email`. */
async function hubWithWorkflow(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "baton-example-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(join(examples, "find-the-email/workflows"), join(folder, "workflows"), { recursive: true });
  return startHub(folder);
}

/** Sends the work back until a guess is accepted. */
const validator: AgentOptions = {
  ...{ pack: "email-validator", version: "1.0.0", role: "reviewer", taskTypes: ["email-validation"] },
  run(task) {
    const guesses = task.inputs.guesses as readonly string[];
    if (!guesses.includes("jdoe")) return task.retryWithInstruction(`${guesses} are not valid`);
    return task.success("jdoe is valid", { data: { valid_email: "jdoe" } });
  },
};

it("[SAC-07] [SAC-11] [SAC-12] a scripted researcher is sent back once, and the path of the run says so", async () => {
  const hub = await hubWithWorkflow();
  const found = { ceo_name: "John Doe", domain: "acme.com" };
  const calls = scriptedModel([
    { toolCalls: [{ name: "search_directory", args: { company: "Acme Corp." } }] },
    { answer: { status: "success", data: { ...found, guesses: ["john"] } } },
    { answer: { status: "success", data: { ...found, guesses: ["jdoe"] } } },
  ]);
  const agents = [
    await startModelAgent({ ...researcher, calls, hub, handleSignals: false }),
    await startAgent({ ...validator, hub, handleSignals: false }),
  ];
  onTestFinished(async () => {
    await Promise.all(agents.map((agent) => agent.close()));
  });
  const question = "Find the email of the CEO of Acme Corp.";
  const path = await runTask({ hub, template: "find-the-email", title: question, inputs: { question } });
  assertPath(path, {
    status: "completed",
    nodes: ["researcher", "validator", "researcher", "validator"],
    taken: ["researcher -> validator", "validator -> researcher"],
    tools: [
      { node: "researcher", tool: "search_directory", args: { company: "Acme Corp." }, status: "success" },
    ],
    questions: [],
    answers: { validator: { status: "success", data: { valid_email: "jdoe" } } },
    maxTokens: 45,
    maxCostUsd: 0.001,
  });
  expect(path.attempts.map(({ pack, ending }) => [pack, ending])).toEqual([
    ["researcher", "rejected"],
    ["email-validator", "sent_back"],
    ["researcher", "accepted"],
    ["email-validator", "accepted"],
  ]);
  expect(await readPath({ hub, run: path.runId })).toEqual(path);
});
