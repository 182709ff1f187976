import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  ContextLevel,
  PipelineStatus,
  Priority,
  RefType,
  RiskTier,
  type SubmitTaskRequest,
} from "@baton/contract";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, describe, expect, it } from "vitest";
import { type Answers, startHub } from "../../../testing/hub-double.ts";
import { scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { aPipeline, aQuestion, caughtUp, ended, moved, pipelineId } from "../../../testing/sample.ts";
import { describeError } from "../../errors/describe-error.ts";
import { toErrorReport } from "../../errors/error-report.ts";
import { buildRequest } from "../../task/build-request.ts";
import { checkWorkspace } from "../../task/check-workspace.ts";
import { readDeadline } from "../../task/deadline.ts";
import type { TaskOptions } from "../../task/task-options.ts";
import { detectTerminal } from "../../terminal/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

const work = ["--title", "Add a login page", "--accept", "npm test passes"];

function taker(taken: SubmitTaskRequest[]): Answers {
  return {
    orchestrator: {
      submitTask: (request) => {
        taken.push(request);
        return { pipeline: aPipeline(), existing: taken.length > 1 };
      },
    },
  };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("baton run", () => {
  it("submits the task as given, and prints only the id of the run on standard output", async () => {
    const taken: SubmitTaskRequest[] = [];
    await using hub = await startHub(taker(taken));
    const args = [
      "--risk",
      "critical",
      "--input",
      "page=/login",
      "--input",
      "retries:=3",
      "--workspace",
      ".",
    ];
    const limits = ["--budget-usd", "2.5", "--budget-tokens", "9000", "--budget-steps", "0"];
    limits.push("--max-retries", "0");
    const context = ["--context", "The port is 8080.", "--context-level", "rich"];
    const checks = ["--test-command", "npm test", "--security-command", "npm audit"];
    const ran = await runBaton(["run", "implement", ...work, ...args, ...limits, ...context, ...checks], {
      hub: hub.url,
      cwd: folder,
    });
    expect(ran).toMatchObject({ stdout: `${pipelineId}\n`, stderr: "", code: 0 });
    expect(taken).toMatchObject([
      {
        plan: { case: "templateId", value: "implement" },
        contract: {
          title: "Add a login page",
          acceptanceCriteria: ["npm test passes"],
          environment: { testCommand: "npm test", securityCommand: "npm audit" },
        },
        riskTier: RiskTier.CRITICAL,
        inputs: { page: "/login", retries: 3 },
        workspace: { repository: folder, path: folder },
        budget: { maxCostMicroUsd: 2_500_000n, maxTokens: 9000n, maxSteps: 0 },
        maxRetries: 0,
        context: { sharedContext: "The port is 8080." },
        contextLevel: ContextLevel.RICH,
      },
    ]);
    expect(taken[0]?.idempotencyKey).not.toBe("");
  });

  it("[DIS-09] says on standard error what a task without an agent waits for, and the fix", async () => {
    const { address: hub } = await startRealHub(scratchFolder());
    const ran = await runBaton(["run", "--task-type", "nope", ...work], { hub });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^p-\w+\n$/);
    const [waits, more, ...rest] = ran.stderr.split("\n");
    expect(waits).toMatch(/^waiting for an agent: no agent .*"nope"; start /);
    expect([more, rest]).toEqual([`details: baton why ${ran.stdout.trim()}/nope`, [""]]);
    const waited = await runBaton(["run", "--task-type", "nope", ...work, "--wait", "--output", "json"], {
      hub,
    });
    expect([waited.code, waited.stderr]).toEqual([8, expect.stringContaining("waiting for an agent: ")]);
  });

  it("[DIS-13] limits the time of one attempt with --timeout, and refuses a time that is none", async () => {
    const taken: SubmitTaskRequest[] = [];
    await using hub = await startHub(taker(taken));
    const run = (timeout: string) =>
      runBaton(["run", "--task-type", "code", ...work, "--timeout", timeout], { hub: hub.url, cwd: folder });
    expect((await run("90s")).code).toBe(0);
    expect(taken[0]?.timeout).toMatchObject({ seconds: 90n });
    for (const wrong of ["0s", "soon", "-1m"]) {
      const refused = await run(wrong);
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain("--timeout");
    }
    expect(taken).toHaveLength(1);
  });

  it("[CON-02] [DIS-16] takes references, files, labels and what agents may do from options", async () => {
    const taken: SubmitTaskRequest[] = [];
    await using hub = await startHub(taker(taken));
    const refs = ["--ref", "src/a.ts", "--ref", "https://example.org/spec", "--ref-commit", "1f2e3d4"];
    const safety = ["--allow-tool", "npm", "--allow-tool", "git", "--deny-tool", "curl"];
    const more = ["--prohibit", "git push", "--max-autonomous-steps", "7"];
    const files = ["--expect-create", "new.ts", "--expect-modify", "old.ts", "--expect-delete", "gone.ts"];
    const labels = ["--label", "team=core", "--label", "ticket=ABC 1=2"];
    const args = ["run", "implement", ...work, ...refs, ...safety, ...more, ...files, ...labels];
    expect(await runBaton(args, { hub: hub.url })).toMatchObject({ code: 0 });
    expect(taken[0]).toMatchObject({
      refs: [
        { uriOrLocator: "src/a.ts" },
        { uriOrLocator: "https://example.org/spec" },
        { uriOrLocator: "1f2e3d4", refType: RefType.COMMIT },
      ],
      safety: {
        toolAllowlist: ["npm", "git"],
        toolDenylist: ["curl"],
        prohibitedActions: ["git push"],
        maxAutonomousSteps: 7,
      },
      contract: { expectedFiles: { create: ["new.ts"], modify: ["old.ts"], delete: ["gone.ts"] } },
      labels: [
        { name: "team", value: "core" },
        { name: "ticket", value: "ABC 1=2" },
      ],
    });
  });

  it.each([
    [["--max-autonomous-steps", "0"], "from 1 to"],
    [["--label", "team"], "name=value"],
    [["--label", "a=1", "--label", "a=2"], "given twice"],
  ])("refuses %s", async (args, message) => {
    const { code, stderr } = await runBaton(["run", "implement", ...work, ...args], {
      hub: "http://127.0.0.1:9",
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("[DIS-15] gives the same request again with the same key", async () => {
    const taken: SubmitTaskRequest[] = [];
    await using hub = await startHub(taker(taken));
    const args = ["run", "--task-type", "write-tests", ...work, "--key", "nightly"];
    await runBaton(args, { hub: hub.url });
    const again = await runBaton(args, { hub: hub.url });
    expect(taken[1]).toEqual(taken[0]);
    expect(taken[0]).toMatchObject({
      idempotencyKey: "nightly",
      plan: { case: "taskType", value: "write-tests" },
    });
    expect(again.stderr).toBe("this run was started by an earlier request with the same key\n");
  });

  it("reads a file, lets options win over it, and shows the plan of a dry run", async () => {
    const taken: SubmitTaskRequest[] = [];
    await using hub = await startHub(taker(taken));
    const task = file(
      "task.yaml",
      "template_id: nightly\ncontract:\n  title: from the file\n  acceptance_criteria: [it holds]\n",
    );
    const args = ["run", "--file", task, "--title", "from the option", "--dry-run"];
    const ran = await runBaton(args, { hub: hub.url });
    expect(taken).toMatchObject([
      { validateOnly: true, contract: { title: "from the option", acceptanceCriteria: ["it holds"] } },
    ]);
    expect(ran.stdout).toMatch(/^STAGE +STATUS/);
    expect(ran.stderr).toBe("the task is valid; nothing was started\n");
  });

  it("names what is missing before anything is sent", async () => {
    const { code, stderr } = await runBaton(["run"], { hub: "http://127.0.0.1:1" });
    expect(code).toBe(2);
    expect(stderr).toContain("at --title: say in one line what is to be done\n");
    expect(stderr).toContain("at --accept: say at least once what must be true of the result\n");
    expect(stderr).toContain(
      "at TEMPLATE, --task-type or --file: say with one of them how the task is run\n",
    );
  });

  it.each([
    ["a file that is there", file("bad.yaml", "titel: x\n")],
    ["a file that is not there", "bad.yaml"],
    ["a path", "./task"],
    ["a path of the other kind", "C:\\work\\task"],
    ["what could be a template, and is a file", file("task-a", "")],
    ["what could be a template, with a folder before it", "tasks/login"],
  ])(
    "says that it takes no file, and how a file is given, instead of what else is missing: %s",
    async (_, given) => {
      const { code, stderr } = await runBaton(["run", given], { hub: "http://127.0.0.1:1", cwd: folder });
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /^BATON-CLI-001 .* names a file, and baton run takes the name of a template\n {2}at TEMPLATE\n/,
      );
      expect(stderr).toContain(`fix: baton run --file ${given} takes a task that is written in a file`);
      expect(stderr).toMatch(/baton run TEMPLATE .* --task-type/);
      expect(stderr).not.toContain("--title");
      const asType = await runBaton(["run", "--task-type", given], {
        hub: "http://127.0.0.1:1",
        cwd: folder,
      });
      expect(asType.code).toBe(2);
      expect(asType.stderr).toMatch(
        /^BATON-CLI-001 .* names a file, and --task-type takes the name of a type\n {2}at --task-type\n/,
      );
      expect(asType.stderr.split("  fix: ")[1]).toBe(stderr.split("  fix: ")[1]);
    },
  );

  it("takes a template that is called as a file here is, and speaks of the file when the hub has none", async () => {
    writeFileSync(join(folder, "build"), "");
    const taken: SubmitTaskRequest[] = [];
    await using double = await startHub(taker(taken));
    const known = await runBaton(["run", "build", ...work], { hub: double.url, cwd: folder });
    expect([known.code, taken[0]?.plan]).toEqual([0, { case: "templateId", value: "build" }]);
    const { address: hub } = await startRealHub(scratchFolder());
    const unknown = await runBaton(["run", "build", ...work], { hub, cwd: folder });
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('"build" names a file, and baton run takes the name of a template'),
    ]);
  });

  it.each([
    ["a misspelt name", "contract:\n  titel: x\n", ":2:3", "did you mean title"],
    [
      "a broken rule",
      "task_type: t\ncontract:\n  title: ''\n  acceptanceCriteria: [a]\n",
      ":3:3",
      "contract.title",
    ],
    ["a missing field", "task_type: t\ncontract:\n  title: x\n", ":2:1", "contract.acceptance_criteria"],
    ["a wrong type", "task_type: t\nrefs:\n  - uriOrLocator: a\n  - digest: [1]\n", ":4:5", "digest"],
    ["a mistake of YAML", "a: [1\nb: 2\n", ":1:4", "not YAML: the bracket [ is not closed"],
    ["a key twice", "task_type: a\ntask_type: b\n", ":2:1", "not YAML"],
  ])("names the position of %s in a file", (name, text, place, words) => {
    const task = file(`${name}.yaml`, text);
    const refusal = refused(undefined, { file: task });
    expect(refusal).toMatch(/^BATON-CLI-002 /);
    expect(refusal).toContain(`at ${task}${place}`);
    expect(refusal).toContain(words);
  });

  it("takes the words of the options in a file too", () => {
    const text =
      "task_type: t\nrisk_tier: low\npriority: high\ncontract:\n  title: x\n  acceptance_criteria: [a]\n";
    const request = buildRequest(undefined, { file: file("words.yaml", text) });
    expect(request).toMatchObject({ riskTier: RiskTier.LOW, priority: Priority.HIGH });
  });

  it("[DIS-11] takes the type of a reference in a file without its prefix, and places a word that is none", () => {
    const work = "task_type: t\ncontract: { title: x, acceptance_criteria: [a] }\n";
    const refs =
      "refs:\n  - { uri_or_locator: a.md, ref_type: FILE }\n  - { uri_or_locator: b, ref_type: db_record }\n";
    const request = buildRequest(undefined, { file: file("references.yaml", work + refs) });
    expect(request.refs.map(({ refType }) => refType)).toEqual([RefType.FILE, RefType.DB_RECORD]);
    const task = file("wrong-reference.yaml", `${work}refs: [{ uri_or_locator: a.md, ref_type: FOLDER }]\n`);
    expect(refused(undefined, { file: task })).toContain(
      `at ${task}:3:32: ref_type is one of file, commit, db_record, url, artifact, not "FOLDER"`,
    );
  });

  it("names repeated fields and unknown values of a file, all at once", () => {
    const task = file("wrong-words.yaml", "templateId: x\ntask_type: t\nrisk_tier: tiny\n");
    const refusal = refused(undefined, { file: task });
    expect(refusal).toContain(
      `at ${task}:2:1: template_id and task_type say in more than one way how the task is run`,
    );
    expect(refusal).toContain(`at ${task}:3:1: risk_tier is one of low, normal, critical, not "tiny"`);
  });

  it.each([
    [["--deadline", "2020-01-01T00:00:00Z"], "the deadline 2020-01-01T00:00:00Z is past\n"],
    [["--deadline", "0s"], "the deadline 0s is past\n"],
    [["--follow", "--no-follow"], "--follow and --no-follow cannot be used together\n"],
    [["--no-follow", "--follow"], "--follow and --no-follow cannot be used together\n"],
    [["--wait", "--no-follow"], "--wait and --no-follow cannot be used together\n"],
    [["--wait", "--follow"], "--follow and --wait cannot be used together\n"],
    [["--keep-waiting", "--no-follow"], "--keep-waiting and --no-follow cannot be used together\n"],
    [["--verbose", "--no-follow"], "--verbose and --no-follow cannot be used together\n"],
    [["--verbose", "--wait"], "--verbose and --wait cannot be used together\n"],
    [["--prohibit", ""], "--prohibit is empty\n"],
    [["--test-command", " "], "--test-command is empty\n"],
    [["--workspace", ""], "--workspace is empty\n"],
  ])("refuses %j before anything is sent", async (args, words) => {
    const { code, stderr } = await runBaton(["run", "t", ...work, ...args], { hub: "http://127.0.0.1:1" });
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it.each([
    ["is not there", join(folder, "nowhere.yaml"), "nowhere.yaml is not there\n"],
    ["is a folder", folder, `${folder} is a folder\n`],
    ["is empty", file("empty.yaml", "# nothing yet\n"), "empty.yaml is empty\n"],
    ["holds a list", file("list.yaml", "- a\n"), "list.yaml holds a list\n  at "],
    ["holds a text", file("text.yaml", "a text\n"), "text.yaml holds a single value\n  at "],
  ])("refuses a file that %s", (_, task, words) => {
    const refusal = refused(undefined, { file: task });
    expect(refusal).toMatch(/^BATON-CLI-002 [^\n]*\n(.*\n)? {2}fix: (name|write) /);
    expect(refusal).toContain(words);
  });

  it.each([
    ["is not there", join(folder, "nowhere"), "is not there"],
    ["is no folder", file("a-file", ""), "is no folder"],
  ])("refuses a workspace that %s, where hub and agents would look for it here", async (_, path, words) => {
    const taken: SubmitTaskRequest[] = [];
    await using hub = await startHub(taker(taken));
    const ran = await runBaton(["run", "t", ...work, "--workspace", path], { hub: hub.url });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(`the workspace ${path} ${words}\n  at --workspace\n`);
    expect(taken).toEqual([]);
  });

  it("names a repository by its whole path, for places that the hub makes", () => {
    const request = buildRequest("t", { title: "x", accept: ["y"], repository: "shop", baseCommit: "v1" });
    expect(request.workspace).toMatchObject({ repository: resolve("shop"), path: "", baseCommit: "v1" });
  });

  it.each([
    ["no git repository", folder, "make it one (git init, and a first commit)"],
    ["not there", join(folder, "nowhere"), "name a git repository on this machine"],
  ])(
    "refuses a repository that is %s at once, where the hub would look for it here",
    async (words, path, fix) => {
      await using hub = await startHub({});
      const ran = await runBaton(["run", "t", ...work, "--repository", path], { hub: hub.url });
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain(`${path} is ${words}\n  at --repository\n  fix: ${fix}`);
    },
  );

  it("refuses a folder in a repository, and names the repository", async () => {
    await using hub = await startHub({});
    const root = mkdtempSync(join(folder, "shop-"));
    mkdirSync(join(root, ".git"));
    mkdirSync(join(root, "packages"));
    const path = join(root, "packages");
    const ran = await runBaton(["run", "t", ...work, "--repository", path], { hub: hub.url });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`${path} is a folder in the repository ${root}\n  at --repository\n`);
    expect(ran.stderr).toContain(`fix: name the repository itself (--repository ${root})`);
  });

  it("leaves a workspace to a hub on another machine", () => {
    const request = buildRequest("t", { title: "x", accept: ["y"], workspace: join(folder, "nowhere") });
    expect(() => checkWorkspace(request, new URL("http://hub.example:7433"), true)).not.toThrow();
  });

  it.each([
    ["a template and a type", { taskType: "t" }, "a template or a type"],
    ["a deadline from now with a key", { deadline: readDeadline("2h"), key: "k" }, "as an instant"],
    [
      "a folder to share and one for each",
      { workspace: ".", repository: "." },
      "a repository or a workspace",
    ],
    [
      "a branch in a repository",
      { repository: ".", branch: "main" },
      "every attempt has a branch of its own",
    ],
    ["a branch of nothing", { branch: "main" }, "at --repository or --workspace"],
  ])("refuses %s", (_, options, words) => {
    const refusal = refused("t", { title: "x", accept: ["y"], ...options });
    expect(refusal).toMatch(/^BATON-CLI-001 /);
    expect(refusal).toContain(words);
  });
});

/** The printed error of a task that cannot be sent. */
function refused(template: string | undefined, options: TaskOptions): string {
  try {
    buildRequest(template, options);
  } catch (error) {
    const refusal = toErrorReport(error, "");
    if (refusal?.exitCode === 2) return describeError(refusal, detectTerminal({}, {}, "linux"), false);
  }
  throw new Error("it was not refused");
}

describe("baton run --follow", () => {
  const events = {
    async *watchEvents() {
      yield moved(1, "", "RUNNING", "COMPLETED");
      yield caughtUp(1);
    },
  };
  const endingAs = (pipeline = ended(), questions = [aQuestion()]): Answers => ({
    orchestrator: {
      submitTask: () => ({ pipeline: aPipeline() }),
      getPipeline: () => ({ pipeline }),
      listEscalations: () => ({ escalations: questions }),
      ...events,
    },
  });

  it.each([
    ["completed", ended(), 0],
    ["failed", ended(PipelineStatus.FAILED), 7],
    ["aborted", ended(PipelineStatus.ABORTED), 7],
    ["paused", aPipeline({ status: PipelineStatus.PAUSED }), 8],
    ["running until somebody answers", aPipeline(), 8],
  ])("ends with the exit code of a run that is %s", async (_, pipeline, code) => {
    await using hub = await startHub(endingAs(pipeline));
    const ran = await runBaton(["run", "t", ...work, "--follow"], { hub: hub.url });
    expect(ran.code).toBe(code);
    expect(ran.stdout).toContain("2027-01-31T12:00:01Z  run        moves     RUNNING → COMPLETED\n");
  });

  it("gives one document to a program that waits", async () => {
    await using hub = await startHub(endingAs());
    const ran = await runBaton(["run", "t", ...work, "--wait", "--output", "json"], { hub: hub.url });
    expect(JSON.parse(ran.stdout)).toMatchObject({ pipeline: { status: "PIPELINE_STATUS_COMPLETED" } });
  });

  it("gives the hub's own error when the task is refused", async () => {
    await using hub = await startHub({
      orchestrator: {
        submitTask: () => {
          throw new ConnectError("the key was used for another task", Code.AlreadyExists);
        },
      },
    });
    const ran = await runBaton(["run", "t", ...work], { hub: hub.url });
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain("the key was used for another task");
  });
});
