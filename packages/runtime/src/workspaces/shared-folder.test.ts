import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ArtifactAction, AuditEventType, ListAuditEntriesRequestSchema, RiskTier } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, eventually, submit, TestAgent, testHub } from "../../testing/index.ts";
import { commandVerifier } from "../evidence/command-verifier.ts";
import { gitWorkspaces } from "./git-workspaces.ts";
import { gitIn, repository, scratch, write } from "./testing/repositories.ts";

type Answer = () => Parameters<TestAgent["answer"]>[1];

/** What the first gate says of the scope, of an agent that works in a folder that it shares with its user. */
async function scopeOf(folder: string, answer: Answer, patchSizeLimit: number, newFiles = 10_000) {
  const hub = await testHub({
    workspaces: gitWorkspaces({ folder: join(scratch(), "workspaces") }),
    verifier: commandVerifier({ limits: { newFiles } }),
  });
  onTestFinished(() => hub.drain(0));
  const agent = new TestAgent(hub, { packId: "dev", answer });
  await submit(hub, {
    workspace: { repository: folder, path: folder },
    contract: {
      ...{ taskId: "t", title: "Add up", acceptanceCriteria: ["it adds up"] },
      expectedFiles: { modify: ["total.js"] },
    },
    patchSizeLimit,
    riskTier: RiskTier.LOW,
  });
  const gates = [AuditEventType.GATE_FAILED, AuditEventType.GATE_PASSED];
  const gate = async () => {
    const request = create(ListAuditEntriesRequestSchema, { pageSize: 100 });
    const { entries } = await hub.listAuditEntries(ada, request);
    return entries.find(({ eventType }) => gates.includes(eventType))?.snapshot?.snapshotPayload;
  };
  await eventually("a gate", async () => (await gate()) !== undefined);
  const payload = await gate();
  if (payload?.case !== "gate") throw new Error("no gate");
  const { value } = payload;
  return { passed: value.passed, scope: value.checks[0]?.evidence, message: agent.envelopes[0]?.workspace };
}

const artifacts = [{ path: "total.js", action: ArtifactAction.MODIFIED }];

describe("a folder that an agent shares", () => {
  it("[PIP-06] is compared with its commit before the first dispatch", async () => {
    const shop = repository();
    const head = gitIn(shop, "rev-parse", "HEAD");
    const work = () => {
      write(shop, { "total.js": "export const total = 42;\n" });
      return { artifacts };
    };
    const { passed, scope, message } = await scopeOf(shop, work, 5);
    expect([passed, scope]).toEqual([true, "1 file, 2 lines, all as expected"]);
    expect(message).toMatchObject({ path: shop, baseCommit: head });
  });

  it("[PIP-07] hides nothing by being committed in", async () => {
    const shop = repository();
    const { passed, scope } = await scopeOf(
      shop,
      () => {
        writeFileSync(join(shop, "backdoor.js"), "x\n".repeat(5_000));
        gitIn(shop, "add", "-A");
        gitIn(shop, "commit", "-qm", "nothing to see");
        return {};
      },
      5,
    );
    expect([passed, scope]).toEqual([false, "files nobody expected: backdoor.js (created)"]);
  });

  it("[PIP-07] hides nothing by becoming a repository", async () => {
    const plain = scratch();
    write(plain, { "total.js": "0\n" });
    const { passed, scope } = await scopeOf(
      plain,
      () => {
        write(plain, { "total.js": "1\n".repeat(5_000) });
        gitIn(plain, "init", "-q");
        gitIn(plain, "add", "-A");
        gitIn(plain, "commit", "-qm", "nothing to see");
        return { artifacts };
      },
      5,
    );
    const unknown = "the changed files could not be seen: the base commit is not known";
    expect([passed, scope]).toEqual([false, unknown]);
  });

  it("[PIP-07] does not pass on the agent's word when the hub cannot read its changes", async () => {
    const shop = repository();
    const { passed, scope } = await scopeOf(
      shop,
      () => {
        for (let n = 0; n < 12; n++) writeFileSync(join(shop, `stray-${n}`), "x");
        return { artifacts };
      },
      0,
      10,
    );
    const reason = "the changed files could not be seen: more than 10 files were changed";
    expect([passed, scope]).toEqual([false, reason]);
  });
});
