import { join } from "node:path";
import { assertPath, pathOfAttempt, runAgent } from "@baton/agent/testing";
import { withModel } from "@baton/models";
import { recordedModel, scriptedModel } from "@baton/models/testing";
import { expect, it } from "vitest";
import { findTheCeo } from "./find-the-ceo.ts";
import { researcher } from "./researcher.ts";

it("[SAC-08] [SAC-12] searches the directory, and guesses from what it finds", async () => {
  const model = scriptedModel([
    { toolCalls: [{ name: "search_directory", args: { company: "Acme Corp." } }] },
    {
      answer: { status: "success", data: { guesses: ["jdoe@acme.com"] } },
      usage: { input: 500, output: 60 },
    },
  ]);
  const path = pathOfAttempt(await runAgent(withModel({ ...researcher, calls: model }), findTheCeo));
  assertPath(path, {
    status: "success",
    tools: [{ tool: "search_directory", args: { company: "Acme Corp." }, status: "success" }],
    answers: { agent: { status: "success", data: { guesses: ["jdoe@acme.com"] } } },
    maxTokens: 600,
    maxCostUsd: 0.001,
  });
  expect(JSON.stringify(model.calls[1]?.request.messages)).toContain("John Doe");
});

it("[SAC-12] reports a company that is not in the directory to the model", async () => {
  const model = scriptedModel([
    { toolCalls: [{ name: "search_directory", args: { company: "Nobody Ltd." } }] },
    { answer: { status: "clarification_needed", message: "Which company do you mean?" } },
  ]);
  const path = pathOfAttempt(await runAgent(withModel({ ...researcher, calls: model }), findTheCeo));
  assertPath(path, { tools: ["search_directory"], questions: ["Which company"] });
  expect(JSON.stringify(model.calls[1]?.request.messages)).toContain("no such company");
});

/** `record.ts` made the recording. With a key of the provider: BATON_RECORD=all npm test -- examples/test-an-agent */
it("[SAC-12] answers a recorded conversation as it did, without network and key", async () => {
  const calls = recordedModel(join(import.meta.dirname, "recordings/researcher.json"));
  const path = pathOfAttempt(await runAgent(withModel({ ...researcher, calls }), findTheCeo));
  expect(calls.misses).toEqual([]);
  assertPath(path, {
    status: "success",
    tools: [{ tool: "search_directory", args: { company: "Acme Corp." } }],
    answers: { agent: { data: { ceo_name: "John Doe", domain: "acme.com" } } },
  });
  expect(calls.unused()).toEqual([]);
});
