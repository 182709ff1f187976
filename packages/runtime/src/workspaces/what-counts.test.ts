import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AuditEventType, ListAuditEntriesRequestSchema, RiskTier } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, eventually, submit, TestAgent, testHub } from "../../testing/index.ts";
import { commandVerifier } from "../evidence/command-verifier.ts";
import { gitWorkspaces } from "./git-workspaces.ts";
import { gitIn, repository, scratch, write } from "./testing/repositories.ts";

type Task = NonNullable<Parameters<typeof submit>[1]>;

/** What the first gate says, of an agent that works in a place of its own. */
async function gateOf(work: (folder: string) => void, task: Task) {
  const hub = await testHub({
    workspaces: gitWorkspaces({ folder: join(scratch(), "workspaces") }),
    verifier: commandVerifier({ workspaces: [] }),
  });
  onTestFinished(() => hub.drain(0));
  new TestAgent(hub, {
    packId: "dev",
    tools: ["node"],
    answer: ({ workspace }) => {
      work(workspace?.path ?? "");
      return {};
    },
  });
  await submit(hub, { workspace: { repository: repository() }, contract, riskTier: RiskTier.LOW, ...task });
  const gates = [AuditEventType.GATE_FAILED, AuditEventType.GATE_PASSED];
  const gate = async () => {
    const request = create(ListAuditEntriesRequestSchema, { pageSize: 100 });
    const { entries } = await hub.listAuditEntries(ada, request);
    return entries.find(({ eventType }) => gates.includes(eventType))?.snapshot?.snapshotPayload;
  };
  await eventually("a gate", async () => (await gate()) !== undefined);
  const payload = await gate();
  if (payload?.case !== "gate") throw new Error("no gate");
  const { passed, checks } = payload.value;
  return { passed, scope: checks[0]?.evidence };
}

const contract = { taskId: "t", title: "Add up", acceptanceCriteria: ["it adds up"] };

describe("what an agent changed", () => {
  it("[PIP-07] is counted in lines, also of a file that one byte makes no text", async () => {
    const work = (folder: string) => write(folder, { "total.js": `// \0\n${"x();\n".repeat(5_000)}` });
    expect(await gateOf(work, { patchSizeLimit: 5 })).toEqual({
      passed: false,
      scope: "5002 changed lines are more than the 5 that are allowed",
    });
  });

  it.each([
    ["left there", () => {}],
    [
      "committed as a commit of another",
      (folder: string) => {
        gitIn(folder, "add", "inner");
        gitIn(folder, "commit", "-qm", "x");
      },
    ],
  ])("[PIP-07] is over every limit where it is a repository inside, %s", async (_, then) => {
    const work = (folder: string) => {
      const inner = join(folder, "inner");
      write(inner, { "much.js": "x();\n".repeat(5_000) });
      gitIn(inner, "init", "-q");
      gitIn(inner, "add", ".");
      gitIn(inner, "commit", "-qm", "x");
      then(folder);
    };
    const { passed, scope } = await gateOf(work, { patchSizeLimit: 5 });
    expect(passed).toBe(false);
    expect(scope).toMatch(/these have none that can be counted: inner/);
  });
});

describe("what is checked", () => {
  const node = (code: string) => `node --eval '${code}'`;

  it("[PIP-07] is what was kept: a process that outlives its agent's answer exchanges nothing", async () => {
    const work = (folder: string) => {
      write(folder, { "total.js": "bad" });
      // As soon as it was kept, and before the command that waits for it has ended.
      const watch = setInterval(() => {
        if (readFileSync(`${folder}.json`, "utf8").includes('"kept"'))
          writeFileSync(join(folder, "total.js"), "good");
      }, 1);
      onTestFinished(() => clearInterval(watch));
    };
    const waits = 'while (require("fs").readFileSync("total.js", "utf8") !== "good");';
    const { passed, scope } = await gateOf(work, {
      contract: { ...contract, environment: { testCommand: node(waits) } },
    });
    const reason = "what was checked is not what was kept: total.js changed after the agent had answered";
    expect([passed, scope]).toEqual([false, reason]);
  });

  it("[PIP-07] may leave files that are new, and must not change those that were kept", async () => {
    const gate = (code: string) =>
      gateOf((folder) => write(folder, { "total.js": "work" }), {
        contract: { ...contract, environment: { buildCommand: node(code) } },
      });
    expect(await gate('require("fs").writeFileSync("built.js", "")')).toMatchObject({ passed: true });
    expect(await gate('require("fs").writeFileSync("total.js", "")')).toMatchObject({
      passed: false,
      scope: expect.stringContaining("is not what was kept: total.js changed"),
    });
  });
});
