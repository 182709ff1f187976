import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ArtifactAction, AuditEventType, ListAuditEntriesRequestSchema, RiskTier } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, eventually, submit, TestAgent, testHub } from "../../testing/index.ts";
import { commandVerifier } from "../evidence/command-verifier.ts";
import { findSandbox } from "../processes/sandbox/find-sandbox.ts";
import type { Sandbox } from "../processes/sandbox/sandbox.ts";
import { type GitWorkspacesOptions, gitWorkspaces } from "./git-workspaces.ts";
import { fingerprint, gitIn, repository, scratch, write } from "./testing/repositories.ts";

type Task = NonNullable<Parameters<typeof submit>[1]>;

interface Circumstances extends Partial<GitWorkspacesOptions> {
  readonly sandbox?: Sandbox;
  readonly answer?: Parameters<TestAgent["answer"]>[1];
}

/** The first gate's checks of an agent with its own workspace. */
async function gateOf(
  work: (folder: string) => void,
  task: Task,
  { sandbox, answer = {}, ...options }: Circumstances = {},
) {
  const hub = await testHub({
    workspaces: gitWorkspaces({ folder: join(scratch(), "workspaces"), ...options }),
    verifier: commandVerifier({ workspaces: [], ...(sandbox && { sandbox }) }),
  });
  onTestFinished(() => hub.drain(0));
  new TestAgent(hub, {
    packId: "dev",
    tools: ["node", "sh"],
    answer: ({ workspace }) => {
      work(workspace?.path ?? "");
      return answer;
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
  return { passed, scope: checks[0]?.evidence, tests: checks[1]?.evidence };
}

const contract = { taskId: "t", title: "Add up", acceptanceCriteria: ["it adds up"] };

describe("what an agent changed", () => {
  it("[PIP-07] is counted in lines, also in a file with a NUL byte", async () => {
    const work = (folder: string) => write(folder, { "total.js": `// \0\n${"x();\n".repeat(5_000)}` });
    expect(await gateOf(work, { patchSizeLimit: 5 })).toMatchObject({
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

/** A repository whose test needs a package that git ignores. */
function withIgnored(): string {
  const shop = repository();
  write(shop, { ".gitignore": "node_modules\n", "test.cjs": 'require("checker")();' });
  gitIn(shop, "add", ".");
  gitIn(shop, "commit", "-qm", "a test");
  return shop;
}

describe("what is checked", () => {
  const node = (code: string) => `node --eval '${code}'`;

  it("[PIP-07] is the commit: a process that outlives its agent's answer replaces nothing", async () => {
    let exchanged = false;
    const work = (folder: string) => {
      write(folder, { "total.js": "bad" });
      // After the commit and before the waiting command has ended.
      const watch = setInterval(() => {
        if (exchanged || !readFileSync(`${folder}.json`, "utf8").includes('"kept"')) return;
        writeFileSync(join(folder, "total.js"), "good");
        exchanged = true;
      }, 1);
      onTestFinished(() => clearInterval(watch));
    };
    const late =
      'setTimeout(() => process.exit(require("fs").readFileSync("total.js", "utf8") === "bad" ? 0 : 1), 300)';
    const { passed } = await gateOf(work, {
      contract: { ...contract, environment: { testCommand: node(late) } },
    });
    expect([passed, exchanged]).toEqual([true, true]);
  });

  it("[PIP-07] is not the rest of the workspace: a forged dependency makes no check pass, and is named", async () => {
    const shop = withIgnored();
    const work = (folder: string) => {
      write(folder, { "node_modules/checker/index.js": "module.exports = () => {};" });
    };
    const { passed, tests, scope } = await gateOf(work, {
      workspace: { repository: shop },
      contract: { ...contract, environment: { testCommand: "node test.cjs" } },
    });
    expect(passed).toBe(false);
    expect(tests).toContain("Cannot find module 'checker'");
    expect(tests).toContain("the agent's workspace also had node_modules/, which git ignores");
    expect(tests).toContain("evidence.dependencies");
    expect(scope).toBe("the contract limits neither files nor size");
  });

  it("[PIP-07] are committed files: one that git ignores is not delivered", async () => {
    const work = (folder: string) => write(folder, { "node_modules/made.js": "made", "kept.js": "kept" });
    const task = { workspace: { repository: withIgnored() } };
    const named = (path: string) => ({ artifacts: [{ path, action: ArtifactAction.CREATED }] });
    expect(await gateOf(work, task, { answer: named("kept.js") })).toMatchObject({ passed: true });
    expect(await gateOf(work, task, { answer: named("node_modules/made.js") })).toMatchObject({
      passed: false,
      scope:
        'the agent says that it made "node_modules/made.js", and it is not in what was kept: git ignores it',
    });
  });

  it.each(["bubblewrap", "plain"] as const)(
    "[PIP-07] finds the dependencies of the user's own checkout, and cannot change them (%s)",
    async (kind) => {
      const sandbox = await findSandbox(kind);
      if (sandbox.kind === "none") return;
      const shop = withIgnored();
      // Packages of the repository are links and must lead to those of the commit.
      write(shop, { "node_modules/checker/index.js": 'module.exports = () => require("own");' });
      symlinkSync("../src", join(shop, "node_modules/own"));
      const before = fingerprint(shop);
      const script = [
        'if (require("own") !== "of the agent") process.exit(3);',
        'require("checker")();',
        'const fs = require("fs");',
        'fs.mkdirSync("node_modules/.cache");',
        'try { fs.appendFileSync("node_modules/checker/index.js", "changed") } catch {}',
      ].join("\n");
      const work = (folder: string) => {
        write(folder, {
          "test.cjs": script,
          "src/index.js": 'module.exports = "of the agent";',
          "node_modules/checker/index.js": "throw 1",
        });
      };
      const gate = await gateOf(
        work,
        {
          workspace: { repository: shop },
          contract: { ...contract, environment: { testCommand: "node test.cjs" } },
        },
        { dependencies: ["node_modules", "absent"], sandbox },
      );
      expect(gate).toMatchObject({ passed: true });
      expect(fingerprint(shop)).toEqual(before);
    },
  );

  it("[PIP-07] has the history of the repository, which commands cannot change", async () => {
    const shop = repository();
    gitIn(shop, "tag", "first");
    const before = fingerprint(shop);
    const script = [
      "set -e",
      "git log --format=%s | grep -x begin",
      "git diff --quiet HEAD",
      "git diff --name-only main | grep -x total.js",
      "git show first:total.js",
      'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m "of a command"',
      "git branch -f main; git tag -d first; git gc -q",
    ].join("\n");
    const work = (folder: string) => {
      write(folder, { "total.js": "work", "check.sh": script });
    };
    const gate = await gateOf(work, {
      workspace: { repository: shop },
      contract: { ...contract, environment: { testCommand: "sh check.sh" } },
    });
    expect(gate).toMatchObject({ passed: true });
    expect(fingerprint(shop)).toEqual(before);
    expect(gitIn(shop, "log", "--all", "--format=%s")).not.toContain("of a command");
  });

  it("[PIP-07] may create files, and must not change committed ones", async () => {
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
