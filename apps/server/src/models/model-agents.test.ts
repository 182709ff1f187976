import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  AuditService,
  EdgeKind,
  InspectionService,
  OrchestratorService,
  PipelineStatus,
  RegistryService,
  ResponseStatus,
  RiskTier,
} from "@baton/contract";
import { type Script, type Scripted, startModelServer } from "@baton/models/testing";
import { createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newFolder, startReady } from "../../testing/program.ts";
import { smallTaskMessage, withKey } from "../../testing/running-server.ts";
import { generateKey } from "../border/keys.ts";

const key = "sk-model-0123456789abcdefghij";
const answer = (status: string, more: object = {}) =>
  JSON.stringify({ thought: "Thinking.", status, data: {}, message: "Done.", ...more });

const policy = `routing_policy:
  version: "1"
  routes:
    - { task_type: summary, allowed_pack_ids: [writer] }
`;
const wordsSchema =
  "  data_schema: { type: object, properties: { words: { type: integer } }, required: [words] }\n";
const pack = (version = "1.0.0", schema = "") => `profession_pack:
  pack_id: writer
  pack_version: "${version}"
  supported_task_types: [summary]
${schema}  model:
    model: large
    system_prompt_file: prompt.md
    use_standard_protocol: true
`;

const letter = `workflow:
  name: letter
  start: write
  nodes: [{ id: write, task_type: summary }, { id: apologise, task_type: apology }]
  edges: [{ from: write, to: apologise, kind: error }]
`;

/** A hub whose project has one model pack, and the local model that it calls. */
async function startProject(script: Script | readonly Scripted[], options: { readonly keys?: string } = {}) {
  vi.stubEnv("TEST_PROVIDER_ACCESS", key);
  const model = await startModelServer(script);
  onTestFinished(() => model.close());
  const folder = newFolder();
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write("config/routing-policy.yaml", policy);
  write(
    "config/models.yaml",
    `providers:
  - { id: local, kind: anthropic, base_url: "${model.baseUrl}", key_env: TEST_PROVIDER_ACCESS }
models:
  - { id: large, provider: local, context_window: 100000, price: { input: 3, output: 15 } }
`,
  );
  write("packs/writer/profession-pack.yaml", pack());
  write("packs/writer/prompt.md", "You write summaries.");
  const keys = options.keys === undefined ? [] : ["--keys", options.keys];
  const hub = await startReady(folder, "--data", join(folder, "data"), ...keys);
  return { ...hub, model, folder, write };
}

type Started = Awaited<ReturnType<typeof startProject>>;

const polling = { timeout: 60_000, interval: 50 };

function clients({ ready }: Pick<Started, "ready">, interceptors: Interceptor[] = []) {
  const transport = createGrpcTransport({ baseUrl: ready.grpc, interceptors });
  return {
    orchestrator: createClient(OrchestratorService, transport),
    registry: createClient(RegistryService, transport),
    audit: createClient(AuditService, transport),
    inspection: createClient(InspectionService, transport),
  };
}

const summary = { case: "taskType", value: "summary" } as const;
const ended = [PipelineStatus.COMPLETED, PipelineStatus.FAILED, PipelineStatus.PAUSED];

/** Runs a task to its end, or until a person is asked. */
async function runTask(
  hub: Started,
  idempotencyKey: string,
  interceptors: Interceptor[] = [],
  plan: typeof summary | { case: "templateId"; value: string } = summary,
) {
  const { orchestrator } = clients(hub, interceptors);
  const submitted = await orchestrator.submitTask({ ...smallTaskMessage, plan, idempotencyKey });
  const pipelineId = submitted.pipeline?.pipelineId ?? "";
  const get = async () => (await orchestrator.getPipeline({ pipelineId })).pipeline;
  await expect.poll(async () => ended.includes((await get())?.status ?? 0), polling).toBe(true);
  return { pipelineId, pipeline: await get() };
}

/** The process ids of the hosts that the hub has started. */
function hostsOf({ output }: Started): readonly number[] {
  return output.stderr
    .split("\n")
    .filter((line) => line.includes("the host of model agents is started"))
    .map((line) => (JSON.parse(line) as { pid: number }).pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("model packs of a hub", () => {
  it("[SAC-12] are done by a host process, with their answer, turns and cost on record", async () => {
    const hub = await startProject([
      {
        reasoning: "Hm.",
        text: answer("success", { data: { words: 2 } }),
        usage: { input: 100, output: 10 },
      },
    ]);
    const { pipeline, pipelineId } = await runTask(hub, "first");
    expect(pipeline?.status).toBe(PipelineStatus.COMPLETED);
    const [stage] = pipeline?.stages ?? [];
    expect(stage?.result?.response).toMatchObject({
      message: "Done.",
      thought: "Thinking.",
      data: { words: 2 },
    });
    expect(stage?.result?.usage).toMatchObject({ inputTokens: 100n, outputTokens: 10n, costMicroUsd: 450n });
    const { turns } = await clients(hub).inspection.getTurns({ pipelineId });
    expect(turns.map(({ turn }) => turn?.content?.action)).toEqual(["answers"]);
    const [request] = hub.model.requests;
    expect(request?.headers["x-api-key"]).toBe(key);
    expect(request?.system).toMatch(/^You write summaries\.\n\n### SYSTEM PROTOCOL/);
  });

  it("[SAC-12] use a changed prompt for the next task", async () => {
    const hub = await startProject(() => ({ text: answer("success") }));
    await runTask(hub, "before");
    hub.write("packs/writer/prompt.md", "You write poems.");
    await expect.poll(() => hub.output.stderr, polling).toContain("the configuration has changed");
    await runTask(hub, "after");
    expect(hub.model.requests.map(({ system }) => system.split("\n")[0])).toEqual([
      "You write summaries.",
      "You write poems.",
    ]);
  });

  it("[SAC-12] [SAC-11] pay no finished call again when their host dies in the middle of a conversation, and end with the hub", async () => {
    const hub = await startProject((_request, index) => {
      if (index === 0) return { text: answer("success", { data: { words: "three" } }) };
      if (index === 1) return { text: ["x", "y"], stream: { hangAfter: 1 } };
      return { text: answer("success", { data: { words: 3 } }) };
    });
    hub.write("packs/writer/profession-pack.yaml", pack("1.1.0", wordsSchema));
    await expect.poll(() => hub.output.stderr, polling).toContain("the configuration has changed");
    const running = runTask(hub, "killed");
    await expect.poll(() => hub.model.requests.length, polling).toBe(2);
    await expect.poll(() => hostsOf(hub).length, polling).toBe(1);
    for (const host of hostsOf(hub)) process.kill(host, "SIGKILL");
    const { pipeline } = await running;
    expect(pipeline?.status).toBe(PipelineStatus.COMPLETED);
    expect(pipeline?.stages[0]?.result?.response?.data).toEqual({ words: 3 });
    // The correction is repeated, because it was not answered; the first call is not.
    expect(hub.model.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 3]);
    const [, second = 0] = hostsOf(hub);
    hub.child.kill("SIGKILL");
    await hub.ended;
    await expect.poll(() => isRunning(second), polling).toBe(false);
  });

  it("[SAC-12] keep the key out of the log, the record, the events and the store, though the provider repeats it", async () => {
    const hub = await startProject([
      { status: 401, message: `wrong key ${key}` },
      { text: [`The key is ${key.slice(0, 12)}`, key.slice(12), answer("success", { message: key })] },
    ]);
    const failed = await runTask(hub, "refused");
    expect(failed.pipeline?.status).toBe(PipelineStatus.PAUSED);
    const { pipelineId } = failed;
    const { audit, inspection } = clients(hub);
    const second = await runTask(hub, "second");
    const output: unknown[] = [failed.pipeline, second.pipeline];
    output.push(await inspection.getTurns({ pipelineId: second.pipelineId }));
    output.push(await inspection.getTurns({ pipelineId }), await inspection.getAttempts({ pipelineId }));
    output.push(await audit.listAuditEntries({}));
    const text = JSON.stringify(output, (_name, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(text).toContain("[redacted:");
    expect(text).toContain("set TEST_PROVIDER_ACCESS to a valid key");
    const [host = 0] = hostsOf(hub);
    const started = [`/proc/${host}/cmdline`, `/proc/${host}/environ`].map((path) =>
      readFileSync(path, "utf8"),
    );
    hub.child.kill("SIGTERM");
    expect(await hub.ended).toBe(0);
    const data = join(hub.folder, "data");
    const stored = readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
    for (const place of [text, hub.output.stderr, hub.output.stdout, ...started, ...stored])
      expect(place.includes(key)).toBe(false);
  });

  it("[SAC-12] attach with a key of their own where callers need keys", async () => {
    const submitter = generateKey({ id: "ada", tenant: "acme", roles: ["submit", "operate", "review"] });
    const folder = newFolder();
    const path = join(folder, "keys.yaml");
    writeFileSync(path, `keys:\n  - ${JSON.stringify(submitter.entry)}\n`, { mode: 0o600 });
    const hub = await startProject([{ text: answer("success") }], { keys: path });
    const { pipeline } = await runTask(hub, "with-keys", [withKey(submitter.key)]);
    expect(pipeline?.status).toBe(PipelineStatus.COMPLETED);
  });

  it("[PIP-06] [SAC-12] review each other's work where callers need keys, also a pack that came later", async () => {
    const submitter = generateKey({ id: "ada", tenant: "acme", roles: ["submit", "operate", "review"] });
    const path = join(newFolder(), "keys.yaml");
    writeFileSync(path, `keys:\n  - ${JSON.stringify(submitter.entry)}\n`, { mode: 0o600 });
    const verdict = answer("success", { data: { verdict: "approve", reason: "It is short." } });
    const hub = await startProject(
      ({ system }) => ({ text: system.startsWith("You review") ? verdict : answer("success") }),
      { keys: path },
    );
    hub.write(
      "config/routing-policy.yaml",
      `${policy}    - { task_type: review, allowed_pack_ids: [editor] }\n  review: { normal: agent, task_type: review }\n`,
    );
    hub.write(
      "packs/editor/profession-pack.yaml",
      pack().replace("writer", "editor").replace("summary", "review").replace("prompt.md", "review.md"),
    );
    hub.write("packs/editor/review.md", "You review summaries.");
    await expect.poll(() => hub.output.stderr.match(/a model agent is attached/g)?.length, polling).toBe(2);
    const asAda = [withKey(submitter.key)];
    const { orchestrator } = clients(hub, asAda);
    const submitted = await orchestrator.submitTask({
      ...smallTaskMessage,
      ...{
        plan: { case: "taskType", value: "summary" },
        idempotencyKey: "reviewed",
        riskTier: RiskTier.NORMAL,
      },
    });
    const pipelineId = submitted.pipeline?.pipelineId ?? "";
    const state = async () => {
      const { pipeline } = await orchestrator.getPipeline({ pipelineId });
      return { status: pipeline?.status, isAsked: pipeline?.waitsForPerson };
    };
    await expect.poll(state, polling).toEqual({ status: PipelineStatus.COMPLETED, isAsked: false });
  });

  it("[SAC-04] [SAC-07] [DIS-05] take the error edge with a fallback object, again and again, without quarantine or an open breaker", async () => {
    const hub = await startProject(({ system }) => ({
      text: system.startsWith("You apologise") ? answer("success") : "Sure! Here you go.",
    }));
    const breaker = "circuit_breaker: { error_threshold: 2, window: 1h, half_open_after: 1h }";
    hub.write(
      "config/routing-policy.yaml",
      `${policy}    - { task_type: apology, allowed_pack_ids: [editor] }\n  admission: { ${breaker} }\n`,
    );
    const editor = pack().replace("writer", "editor").replace("summary", "apology");
    hub.write("packs/editor/profession-pack.yaml", editor);
    hub.write("packs/editor/prompt.md", "You apologise.");
    hub.write("workflows/letter.yaml", letter);
    await expect.poll(() => hub.output.stderr.match(/a model agent is attached/g)?.length, polling).toBe(2);
    for (const name of ["first", "second", "third", "fourth", "fifth"]) {
      const { pipeline } = await runTask(hub, name, [], { case: "templateId", value: "letter" });
      expect(pipeline?.status, name).toBe(PipelineStatus.COMPLETED);
      const [write, apologise] = pipeline?.stages ?? [];
      expect(write?.result?.response).toMatchObject({
        thought: "System Note: LLM failed to provide structured JSON output.",
        status: ResponseStatus.FAILURE,
        data: { raw_output: "Sure! Here you go." },
        message: "The LLM returned an invalid response format.",
      });
      expect(apologise?.edges[0]).toMatchObject({ kind: EdgeKind.ERROR, taken: true });
    }
    const { agents } = await clients(hub).registry.listAgents({});
    const writer = agents.find(({ heartbeat }) => heartbeat?.packId === "writer");
    expect(writer).toMatchObject({ quarantineReason: "", breakerState: "closed" });
  });
});
