/** Authors who change the tests do not judge their work alone: on a hub with an agent that works in a repository. */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  EscalationKind,
  ListEscalationsRequestSchema,
  PipelineStatus,
  ReviewStageRequestSchema,
  RiskTier,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ada, eventually, planOf, read, submit, TestAgent, testHub } from "../../testing/index.ts";
import { auditOf } from "../agents/command/testing/command-hub.ts";
import { gitWorkspaces } from "../workspaces/git-workspaces.ts";
import { gitIn, repository, scratch, write } from "../workspaces/testing/repositories.ts";
import { commandVerifier } from "./command-verifier.ts";

/** A program with one test, and a script that runs it. */
const files = {
  "add.js": "exports.add = (a, b) => a + b;\n",
  "test/add.test.js": "require('node:assert').equal(require('../add.js').add(1, 2), 3);\n",
  "test/zero.test.js": "require('node:assert').equal(require('../add.js').add(0, 0), 0);\n",
  "run.sh": "set -e; for test in test/*.test.js; do node $test; done; echo ran $(ls test | wc -l)\n",
  "package.json": `${JSON.stringify({ name: "adder", scripts: { test: "sh run.sh" } })}\n`,
};

let shop = "";
beforeEach(() => {
  shop = repository();
  write(shop, files);
  gitIn(shop, "add", ".");
  gitIn(shop, "commit", "-qm", "a program and its tests");
});

interface Options {
  readonly work: (folder: string, stageId: string) => void;
  /** One after the other; the default is a single task. */
  readonly plan?: Readonly<Record<string, object>>;
  readonly testCommand?: string;
  readonly riskTier?: RiskTier;
}

/** One task, until it is done or somebody is asked. */
async function publish({ work, plan, testCommand = "sh run.sh", riskTier = RiskTier.LOW }: Options) {
  const hub = await testHub({
    workspaces: gitWorkspaces({ folder: join(scratch(), "workspaces") }),
    verifier: commandVerifier({ workspaces: [] }),
  });
  onTestFinished(() => hub.drain(0));
  new TestAgent(hub, {
    packId: "dev",
    tools: ["node", "sh", "npm"],
    answer: ({ workspace, execution }) => {
      work(workspace?.path ?? "", execution?.dispatchId.split("/")[1] ?? "");
      return {};
    },
  });
  const contract = { taskId: "t", title: "Add up", acceptanceCriteria: ["it adds up"] };
  const pipelineId = await submit(hub, {
    ...{ workspace: { repository: shop }, riskTier },
    ...(plan && { plan: planOf(stages(plan)) }),
    contract: { ...contract, environment: { testCommand } },
  });
  const questions = async () =>
    (await hub.listEscalations(ada, create(ListEscalationsRequestSchema))).escalations.filter(
      // Until the agent has come in there is nobody to take the task.
      ({ kind }) => kind !== EscalationKind.ROUTING,
    );
  await eventually("an end or a question", async () => {
    const { status } = await read(hub, pipelineId);
    return status === PipelineStatus.COMPLETED || (await questions()).length > 0;
  });
  const gate = (await auditOf(hub, pipelineId)).flatMap(({ snapshot }) =>
    snapshot?.snapshotPayload.case === "gate" ? [snapshot.snapshotPayload.value] : [],
  )[0];
  const tests = gate?.checks.find(({ gateName }) => gateName === "tests");
  const open = await questions();
  const pipeline = await read(hub, pipelineId);
  const approve = (reason: string) =>
    hub.reviewStage(
      ada,
      create(ReviewStageRequestSchema, {
        ...{ pipelineId, stageId: open[0]?.stageId ?? "", dispatchId: open[0]?.dispatchId ?? "", reason },
        verdict: { case: "approval", value: {} },
      }),
    );
  const ends = () =>
    eventually("its end", async () => (await read(hub, pipelineId)).status === PipelineStatus.COMPLETED);
  return { tests, question: open[0], status: pipeline.status, approve, ends };
}

const untested = { contractTemplate: { environment: {} } };
const hidesTest = { "test/add.test.js": "require('../add.js');\n" };

const breaks = { "add.js": "exports.add = (a, b) => a - b;\n" };

describe("tests that their author changed", () => {
  it("[PIP-07] also run as in the base commit, and the check reports which of the two passed", async () => {
    const { tests, status } = await publish({
      work: (folder) =>
        write(folder, {
          ...breaks,
          "test/add.test.js": "require('../add.js');\n",
          "test/more.test.js": "\n",
        }),
    });
    expect(status).toBe(PipelineStatus.COMPLETED);
    expect(tests).toMatchObject({ passed: true, run: { passed: true } });
    expect(tests?.run?.baseTests).toMatchObject({ changedTests: ["test/add.test.js"], passed: false });
    expect(tests?.run?.baseTests?.output).toContain("AssertionError");
    expect(tests?.evidence).toContain(
      "the author changed tests (test/add.test.js): the command passes with them, and fails with the tests of the base commit",
    );
  });

  it.each([
    ["removed", (folder: string) => gitIn(folder, "rm", "-q", "test/add.test.js"), ["test/add.test.js"]],
    [
      "left out by a changed script",
      (folder: string) =>
        write(folder, { "package.json": JSON.stringify({ name: "adder", scripts: { test: "true" } }) }),
      ["package.json"],
    ],
    [
      "left out by new settings of npm",
      (folder: string) => write(folder, { ".npmrc": "script-shell=true\n" }),
      [".npmrc"],
    ],
  ])("[PIP-07] are run as they were when they are %s", async (_, hide, changedTests) => {
    const { tests } = await publish({
      work: (folder) => {
        write(folder, breaks);
        hide(folder);
      },
      testCommand: "npm test",
    });
    expect(tests?.run).toMatchObject({ passed: true, baseTests: { changedTests, passed: false } });
  });

  it("[PIP-07] also run as in the base commit when the script of the command changed", async () => {
    const { tests } = await publish({
      work: (folder) => write(folder, { ...breaks, "run.sh": "exit 0\n" }),
      testCommand: "sh ./run.sh",
    });
    expect(tests?.run).toMatchObject({
      passed: true,
      baseTests: { changedTests: ["run.sh"], passed: false },
    });
  });

  it("[TRN-03] do not make the hub follow a link that the agent committed as package.json", async () => {
    const outside = join(scratch(), "outside.json");
    const before = JSON.stringify({ name: "another program", scripts: { test: "its own tests" } });
    writeFileSync(outside, before);
    const { tests } = await publish({
      work: (folder) => {
        write(folder, breaks);
        rmSync(join(folder, "package.json"));
        symlinkSync(outside, join(folder, "package.json"));
      },
    });
    expect(readFileSync(outside, "utf8")).toBe(before);
    expect(tests?.run?.baseTests?.changedTests).toEqual(["package.json"]);
  });

  it("[PIP-06] require a person for normal risk when only the changed ones pass, with a notice", async () => {
    const { question } = await publish({
      work: (folder) => write(folder, { ...breaks, "test/add.test.js": "require('../add.js');\n" }),
      riskTier: RiskTier.NORMAL,
    });
    expect(question?.kind).toBe(EscalationKind.REVIEW);
    expect(question?.snapshot?.problem).toContain("the tests of the base commit fail with this change");
    expect(question?.snapshot?.notices).toEqual([
      expect.stringContaining("fails with the tests of the base commit"),
    ]);
  });

  it("[PIP-07] need no repetition when tests were only added, and no person when both pass", async () => {
    const added = await publish({ work: (folder) => write(folder, { "test/new.test.js": "\n" }) });
    expect(added.tests?.run?.baseTests).toBeUndefined();
    const better = await publish({
      work: (folder) => write(folder, { "test/add.test.js": `${files["test/add.test.js"]}// better\n` }),
      riskTier: RiskTier.NORMAL,
    });
    expect(better.status).toBe(PipelineStatus.COMPLETED);
    expect(better.tests?.run?.baseTests).toMatchObject({ passed: true });
  });

  it("[PIP-07] [PIP-06] in an earlier stage that runs no tests, also run as the run began, and require a person", async () => {
    const { question } = await publish({
      plan: { prepare: untested, code: {} },
      work: (folder, stageId) => write(folder, stageId === "prepare" ? hidesTest : breaks),
      riskTier: RiskTier.NORMAL,
    });
    expect(question).toMatchObject({ stageId: "code", kind: EscalationKind.REVIEW });
    expect(question?.snapshot?.notices).toEqual([
      "the author changed tests (test/add.test.js): the command passes with them, and fails with the tests of the base commit",
    ]);
  });

  it("[PIP-07] [PIP-06] are in the evidence of a review stage that changed nothing itself", async () => {
    const { question } = await publish({
      plan: { code: { riskTier: RiskTier.LOW }, review: { riskTier: RiskTier.CRITICAL } },
      work: (folder, stageId) => stageId === "code" && write(folder, { ...breaks, ...hidesTest }),
    });
    expect(question).toMatchObject({ stageId: "review", kind: EscalationKind.REVIEW });
    expect(question?.snapshot?.notices).toEqual([
      expect.stringContaining("fails with the tests of the base commit"),
    ]);
  });

  it("[PIP-06] ask a person once: not again in a later stage that changes no tests", async () => {
    const { question, approve, ends } = await publish({
      plan: { code: {}, polish: {} },
      work: (folder, stageId) =>
        write(folder, stageId === "code" ? { ...breaks, ...hidesTest } : { "notes.md": "done\n" }),
      riskTier: RiskTier.NORMAL,
    });
    expect(question?.stageId).toBe("code");
    await approve("the sign is meant to change");
    await ends();
  });
});
