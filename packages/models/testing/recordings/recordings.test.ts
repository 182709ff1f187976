import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentError } from "@baton/agent";
import { Outcome, ResponseStatus } from "@baton/contract";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { answer, run, type Setup } from "../../src/testing/run-model.ts";
import type { ModelTool } from "../../src/tools/tool.ts";
import { type RecordedOptions, recordedModel, type Scripted } from "../index.ts";

const key = "key-0123456789abcdef";
const secret = "ghp_9aZ8bY7cX6dW5eV4fU3gT2hS1iR0jQ9kP8lO";

function scratchFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-recordings-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "recordings/agent.json");
}

const search: ModelTool = {
  name: "search",
  description: "Searches the directory.",
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  idempotent: true,
  critical: false,
  call: async () => ({ text: `password: ${secret}` }),
};

const script: readonly Scripted[] = [
  { toolCalls: [{ id: "toolu_4711", name: "search", args: { name: "Doe" } }] },
  { text: answer({ status: "success", data: { found: true }, message: `The token is ${secret}.` }) },
];

const setup: Setup = { kind: "anthropic", tools: [search] };

/** Records the conversation against the local server. */
async function recorded(file: string, options: RecordedOptions = {}, more: Setup = {}) {
  const calls = recordedModel(file, { record: "missing", ...options });
  return run(script, { ...setup, ...more, calls });
}

describe("recordings of model calls", () => {
  it("[SAC-12] replay a conversation with tools as it was, without network and key", async () => {
    const file = scratchFile();
    const first = await recorded(file);
    expect(first.requests.length).toBe(2);
    const calls = recordedModel(file);
    const again = await run([], { ...setup, calls, variables: {} });
    expect([calls.mode, again.requests, calls.misses, calls.unused()]).toEqual(["replay", [], [], []]);
    expect(again.result.response).toMatchObject({ status: ResponseStatus.SUCCESS, data: { found: true } });
    expect(again.result.usage).toEqual(first.result.usage);
    expect(again.turns.map(({ content }) => content)).toEqual(first.turns.map(({ content }) => content));
  });

  it("[SAC-12] contain no key and no secret, whether it was sent or received", async () => {
    const file = scratchFile();
    const custom = "the-code-name-is-otter";
    await recorded(
      file,
      { secrets: [custom] },
      { envelope: { inputs: { note: `use ${key}, ${secret} and ${custom}`, password: "tr0ub4dor&3" } } },
    );
    const text = readFileSync(file, "utf8");
    for (const one of [key, secret, custom]) expect(text).not.toContain(one);
    expect(text).toContain("[redacted:");
    expect(JSON.parse(text).recordings.length).toBe(2);
  });

  it("[SAC-12] fail for another request, name the nearest recording and the first difference, and never call out", async () => {
    const file = scratchFile();
    await recorded(file);
    const calls = recordedModel(file);
    const changed: ModelTool = { ...search, call: async () => ({ text: "nobody has that name" }) };
    const { result, requests } = await run(script, { ...setup, tools: [changed], calls });
    expect(requests).toEqual([]);
    expect(result.status).toMatchObject({
      ...{ outcome: Outcome.NON_RETRYABLE_FAILURE, failureCode: "MODEL_NOT_SCRIPTED" },
    });
    const [miss] = calls.misses;
    expect(result.status?.failureReason).toBe(miss);
    expect(miss).toMatch(
      /no recording in .*agent\.json for this call of "large"; the nearest is recordings\[1\], and its first difference is messages\[2\]\.content\[0\]\.output\.value: recorded "?….*password.*, requested "?….*nobody has that name/s,
    );
    expect(miss).toContain("BATON_RECORD=missing");
    expect(calls.unused()).toEqual(["recordings[1]"]);
  });

  it("[SAC-12] are found whatever ids and addresses a run has", async () => {
    const file = scratchFile();
    const inputs = (id: string) => ({ envelope: { inputs: { run: `${id} in /tmp/${id.slice(0, 4)}` } } });
    const normalize = (text: string) => text.replaceAll(/\/tmp\/\w+/g, "/tmp/FOLDER");
    await recorded(file, { normalize }, inputs("0b9c8b0e-6a53-4d5c-8f55-0d1a5f0e4d11"));
    const calls = recordedModel(file, { normalize });
    const { result } = await run([], { ...setup, calls, ...inputs("7d1f2c3e-1111-4222-8333-444455556666") });
    expect([result.status?.outcome, calls.misses]).toEqual([Outcome.SUCCESS, []]);
  });

  it("[SAC-12] are made only when the option or the variable says so", async () => {
    const file = scratchFile();
    const without = await run(script, { ...setup, calls: recordedModel(file) });
    expect([without.requests.length, without.result.status?.failureReason]).toEqual([
      0,
      expect.stringContaining("it has no recordings"),
    ]);
    expect(() => readFileSync(file)).toThrow("ENOENT");
    vi.stubEnv("BATON_RECORD", "missing");
    expect((await run(script, { ...setup, calls: recordedModel(file) })).requests.length).toBe(2);
    expect((await run(script, { ...setup, calls: recordedModel(file) })).requests.length).toBe(0);
    vi.stubEnv("BATON_RECORD", "all");
    expect((await run(script, { ...setup, calls: recordedModel(file) })).requests.length).toBe(2);
    vi.stubEnv("BATON_RECORD", "yes");
    expect(() => recordedModel(file)).toThrow('"yes" is no mode of recording');
  });

  it("[SAC-12] need the key only to record", async () => {
    const calls = recordedModel(scratchFile(), { record: "missing" });
    const { result, requests } = await run(script, { ...setup, calls, variables: {} });
    expect([requests.length, result.status?.failureCode]).toEqual([0, "MODEL_KEY_MISSING"]);
  });

  it("[SAC-12] keep refusals, and leave out failures that pass", async () => {
    const file = scratchFile();
    const calls = recordedModel(file, { record: "missing" });
    const overloaded: Scripted = { status: 529, message: "Overloaded", headers: { "retry-after-ms": "1" } };
    const refusal: Scripted = { text: "I cannot help with that.", stop: "refusal" };
    await run([overloaded, refusal], { ...setup, calls });
    const { recordings } = JSON.parse(readFileSync(file, "utf8"));
    expect(recordings).toMatchObject([{ failure: { kind: "MODEL_REFUSED" } }]);
    const { result } = await run([], { ...setup, calls: recordedModel(file) });
    expect(result.status?.failureCode).toBe("MODEL_REFUSED");
  });

  it.each([
    ["no JSON", () => "{", "cannot be read"],
    ["another version", () => '{"version":2,"recordings":[]}', "version 1"],
    [
      "a request that was edited",
      (text: string) => text.replace("You write summaries.", "You write poems."),
      "another request than the digest states",
    ],
    [
      "a recording without a reply",
      (text: string) => text.replaceAll('"reply":', '"answer":'),
      "neither reply nor",
    ],
  ])("[SAC-12] refuse a file with %s", async (_what, edit, problem) => {
    const file = scratchFile();
    await recorded(file);
    writeFileSync(file, edit(readFileSync(file, "utf8")));
    expect(() => recordedModel(file)).toThrow(AgentError);
    expect(() => recordedModel(file)).toThrow(problem);
  });
});
