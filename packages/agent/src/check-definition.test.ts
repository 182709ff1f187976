import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { ErrorDetailSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import { envelope, runAgent } from "../testing/index.ts";
import { AgentError } from "./agent-error.ts";
import type { AgentOptions } from "./api/definition.ts";
import { startAgent } from "./attach/start-agent.ts";
import { endAll, start, startHub } from "./attach/testing/attached.ts";
import { optionNames } from "./check-definition.ts";
import { type ServeOptions, serveAgent } from "./serve/serve-agent.ts";

afterEach(endAll);

const good: AgentOptions = {
  pack: "qa-engineer",
  version: "1.0.0",
  taskTypes: ["write-tests"],
  run: (task) => task.success("done"),
  handleSignals: false,
  // Nothing listens there: an agent that gets this far waits forever.
  hub: "http://127.0.0.1:1",
};

/** Options without type checks. */
const untyped = (fields: Readonly<Record<string, unknown>>): AgentOptions => Object.assign({}, good, fields);

const wrong: readonly [path: string, fields: Readonly<Record<string, unknown>>][] = [
  ["pack", { pack: "" }],
  ["pack", { pack: undefined }],
  ["version", { version: 1 }],
  ["taskTypes", { taskTypes: undefined }],
  ["taskTypes", { taskTypes: [] }],
  ["taskTypes", { taskTypes: "write-tests" }],
  ["taskTypes[1]", { taskTypes: ["write-tests", ""] }],
  ["run", { run: undefined }],
  ["run", { run: "npm test" }],
  ["tools[0]", { tools: [7] }],
  ["role", { role: "boss" }],
  ["safetyTier", { safetyTier: "high" }],
  ["acceptedRiskTiers[0]", { acceptedRiskTiers: ["high"] }],
  ["capacity", { capacity: 0 }],
  ["capacity", { capacity: Number.NaN }],
  ["capacity", { capacity: 2, maxConcurrentTasks: 1 }],
  ["maxConcurrentTasks", { maxConcurrentTasks: 0 }],
  ["maxTaskDurationMs", { maxTaskDurationMs: -1 }],
  ["health", { health: "healthy" }],
  ["dataSchema", { dataSchema: [] }],
  ["instanceId", { instanceId: "" }],
  ["onProblem", { onProblem: true }],
  ["giveUpAfterMs", { giveUpAfterMs: Number.NaN }],
];

describe("an invalid definition", () => {
  it.each(wrong)("[CON-03] is refused at once, naming the field: %s of %j", async (path, fields) => {
    const refusal = {
      code: "BATON-SDK-001",
      at: `definition.${path}`,
      message: expect.stringMatching(/ must (be|name) /),
      fix: expect.stringContaining("docs/how-to/write-an-agent.md"),
    };
    await expect(startAgent(untyped(fields))).rejects.toMatchObject(refusal);
    await expect(serveAgent(untyped(fields))).rejects.toMatchObject(refusal);
  });

  it.each([undefined, null, "qa-engineer", []])(
    "[CON-03] is refused when it is not an object: %j",
    async (value) => {
      const options: AgentOptions = JSON.parse(JSON.stringify(value ?? null));
      await expect(startAgent(options)).rejects.toMatchObject({ code: "BATON-SDK-001", at: "definition" });
    },
  );

  it.each([
    ["safety_tier", { safety_tier: "critical" }, "did you mean safetyTier?"],
    ["pack_version", { pack_version: "1.0.0" }, "did you mean version?"],
    ["taskType", { taskType: ["greeting"] }, "did you mean taskTypes?"],
    ["colour", { colour: "red" }, "is not an option"],
  ])("[CON-03] is refused for an unknown option: %s", async (path, fields, text) => {
    const options: AgentOptions = untyped(fields);
    await expect(startAgent(options)).rejects.toMatchObject({
      ...{ code: "BATON-SDK-001", at: `definition.${path}`, message: expect.stringContaining(text) },
    });
    const listening: ServeOptions = untyped({ listen: { prot: 8080 } });
    await expect(serveAgent(listening)).rejects.toMatchObject({
      ...{ at: "definition.listen.prot", message: expect.stringContaining("did you mean listen.port?") },
    });
  });

  it("has every option in the documentation", () => {
    const page = readFileSync(new URL("../../../docs/how-to/write-an-agent.md", import.meta.url), "utf8");
    const listed = [...page.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual([...optionNames.start, ...optionNames.serve].toSorted());
  });

  it.each([
    ["listen", { listen: 8080 }],
    ["listen.port", { listen: { port: 65_536 } }],
    ["listen.transport", { listen: { transport: "smoke" } }],
    ["listen.token", { listen: { token: "" } }],
  ])("[CON-03] is refused for an invalid listen option: %s", async (path, fields) => {
    const options: ServeOptions = untyped(fields);
    await expect(serveAgent(options)).rejects.toMatchObject({
      code: "BATON-SDK-001",
      at: `definition.${path}`,
    });
  });
});

describe("an error of the SDK", () => {
  it("does not print the encoded details of the hub's error", async () => {
    const value = create(ErrorDetailSchema, {
      code: "BATON-FLEET-003",
      message: "other content",
      fix: "fix it",
    });
    const details = [{ desc: ErrorDetailSchema, value }];
    const refusal = new ConnectError("no", Code.FailedPrecondition, undefined, details);
    const hub = await startHub({ refuse: () => refusal });
    const error: unknown = await start(hub).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: expect.stringContaining("other content"), fix: "fix it" });
    for (const printed of [inspect(error), inspect(error, { customInspect: false, depth: 9 })]) {
      expect(printed).toContain("BATON-SDK-002");
      expect(printed).not.toMatch(/Uint8Array|Buffer/);
    }
  });

  it("does not print the properties of an error that run() threw", async () => {
    const carried = Object.assign(new Error("the command failed"), { stdout: Buffer.from("a password") });
    const definition = {
      ...good,
      run: () => {
        throw carried;
      },
    };
    const { problems } = await runAgent(definition, envelope());
    expect(problems).toHaveLength(1);
    expect(problems[0]).toBeInstanceOf(AgentError);
    const printed = inspect(problems[0]);
    for (const part of ["BATON-SDK-017", "fix: ", "cause: Error: the command failed"])
      expect(printed).toContain(part);
    expect(printed).not.toMatch(/Uint8Array|Buffer|70 61 73 73/);
  });
});
