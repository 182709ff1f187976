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
