import { execFileSync } from "node:child_process";
import {
  ContextLevel,
  FailureStrategy,
  type GetAttemptResponse,
  type Pipeline,
  Priority,
  RiskTier,
} from "@baton/contract";
import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { makeRepository, storyArguments } from "../testing/story.ts";

/** The run of a submitted form and its first attempt. */
interface Submitted {
  readonly pipeline: Pipeline;
  readonly attempt: GetAttemptResponse;
}

type Field = readonly [
  label: string,
  typed: string | true,
  seen: (run: Submitted) => unknown,
  value: unknown,
];

const contract = ({ attempt }: Submitted) => attempt.envelope?.contract;
const safety = ({ attempt }: Submitted) => attempt.envelope?.safety;
const execution = ({ attempt }: Submitted) => attempt.envelope?.execution;
const context = ({ attempt }: Submitted) => attempt.envelope?.contextIn;

const deadline = "2031-05-06T07:08";

/** Every field of a single task in a repository; those of a shared folder are below. */
const fields: readonly Field[] = [
  ["Title", "Fill every field", (run) => run.pipeline.pipelineName, "Fill every field"],
  ["Acceptance criteria", "one\ntwo", (run) => contract(run)?.acceptanceCriteria, ["one", "two"]],
  ["Task id", "t-77", (run) => contract(run)?.taskId, "t-77"],
  ["Owner domain", "billing", (run) => contract(run)?.ownerDomain, "billing"],
  ["Non-goals", "a rewrite", (run) => contract(run)?.nonGoals, ["a rewrite"]],
  ["Create", "new.js", (run) => contract(run)?.expectedFiles?.create, ["new.js"]],
  ["Modify", "slug.js", (run) => contract(run)?.expectedFiles?.modify, ["slug.js"]],
  ["Delete", "old.js", (run) => contract(run)?.expectedFiles?.delete, ["old.js"]],
  ["Tests to add", "a.test.js", (run) => contract(run)?.tests?.testsToAdd, ["a.test.js"]],
  ["Tests to run", "b.test.js", (run) => contract(run)?.tests?.testsToRun, ["b.test.js"]],
  ["Dependencies", "left-pad", (run) => contract(run)?.io?.dependencies, ["left-pad"]],
  ["Artifacts", "dist", (run) => contract(run)?.io?.artifacts, ["dist"]],
  ["Expected interfaces", "slug()", (run) => contract(run)?.io?.expectedInterfaces, ["slug()"]],
  ["Breaking change", true, (run) => contract(run)?.io?.breakingChange, true],
  ["Lint command", "node lint", (run) => contract(run)?.environment?.lintCommand, "node lint"],
  ["Typecheck command", "node types", (run) => contract(run)?.environment?.typecheckCommand, "node types"],
  ["Test command", "node --test", (run) => contract(run)?.environment?.testCommand, "node --test"],
  ["Build command", "node build", (run) => contract(run)?.environment?.buildCommand, "node build"],
  ["Security command", "node scan", (run) => contract(run)?.environment?.securityCommand, "node scan"],
  ["Definition of done", "it is documented", (run) => contract(run)?.definitionOfDone, ["it is documented"]],
  ["Required tools", "node", (run) => contract(run)?.requiredTools, ["node"]],
  ["Risk", "critical", (run) => execution(run)?.riskTier, RiskTier.CRITICAL],
  ["Inputs", '{ "size": 3 }', ({ attempt }) => attempt.envelope?.inputs, { size: 3 }],
  ["Cost (US dollars)", "2.50", ({ pipeline }) => pipeline.policy?.budget?.maxCostMicroUsd, 2_500_000n],
  ["Tokens", "90000", ({ pipeline }) => pipeline.policy?.budget?.maxTokens, 90_000n],
  ["Steps", "70", ({ pipeline }) => pipeline.policy?.budget?.maxSteps, 70],
  [
    "Timeout per attempt",
    "7m",
    (run) =>
      durationMs(execution(run)?.timeout ?? { seconds: 0n, nanos: 0, $typeName: "google.protobuf.Duration" }),
    420_000,
  ],
  ["Retries", "0", ({ pipeline }) => pipeline.policy?.noRetries, true],
  ["Maximum patch size (lines)", "400", (run) => execution(run)?.patchSizeLimit, 400],
  [
    "When a stage fails",
    "fail fast",
    ({ pipeline }) => pipeline.policy?.failureStrategy,
    FailureStrategy.FAIL_FAST,
  ],
  ["Shared context", "The port is 8080.", (run) => context(run)?.sharedContext, "The port is 8080."],
  ["Task delta", "Only slugs.", (run) => context(run)?.taskDelta, "Only slugs."],
  ["Unresolved assumptions", "UTF-8", (run) => context(run)?.unresolvedAssumptions, ["UTF-8"]],
  [
    "Decisions",
    '[{ "decisionId": "d1", "description": "Use dashes" }]',
    (run) => context(run)?.decisionMemo?.decisions.map(({ description }) => description),
    ["Use dashes"],
  ],
  [
    "Critical snippets",
    '[{ "path": "slug.js", "content": "return title" }]',
    (run) => context(run)?.criticalSnippets.map(({ content }) => content),
    ["return title"],
  ],
  ["Context level", "rich", ({ attempt }) => attempt.dispatch?.contextLevelApplied, ContextLevel.RICH],
  ["Priority", "high", (run) => execution(run)?.priority, Priority.HIGH],
  ["Auth scopes", "repo:read", (run) => safety(run)?.authScopes, ["repo:read"]],
  ["Prohibited actions", "git push", (run) => safety(run)?.prohibitedActions, ["git push"]],
  ["Tool allowlist", "node", (run) => safety(run)?.toolAllowlist, ["node"]],
  ["Tool denylist", "curl", (run) => safety(run)?.toolDenylist, ["curl"]],
  ["Max autonomous steps", "12", (run) => safety(run)?.maxAutonomousSteps, 12],
  ["Touches auth", true, (run) => safety(run)?.securityFlags?.touchesAuth, true],
  ["Touches schema", true, (run) => safety(run)?.securityFlags?.touchesSchema, true],
  ["Touches billing", true, (run) => safety(run)?.securityFlags?.touchesBilling, true],
  ["Touches secrets", true, (run) => safety(run)?.securityFlags?.touchesSecrets, true],
  [
    "Refs",
    '[{ "uriOrLocator": "slug.js" }]',
    ({ attempt }) => attempt.envelope?.refs.map(({ uriOrLocator }) => uriOrLocator),
    ["slug.js"],
  ],
];

describe.skipIf(browserPath === undefined)("[CON-05] the form for a new run", () => {
  const stage = setStage(
    [
      {
        pack: "handyman",
        version: "1.0.0",
        taskTypes: ["everything"],
        tools: ["node"],
        safetyTier: "critical",
        capacity: 4,
        async run(task) {
          return task.success("looked at it");
        },
      },
    ],
    storyArguments,
  );
  const open = async (path: string) => {
    const { page, context: own } = await openPage(stage.browser);
    await page.goto(stage.hub.http + path);
    return { page, close: () => own.close() };
  };
  const fieldOf = (page: Page, label: string) =>
    page.getByLabel(new RegExp(`^${label.replace(/[.,()]/g, "\\$&")}( \\(JSON\\)| Required)?$`));
  const fill = async (page: Page, label: string, typed: string | true) => {
    const field = fieldOf(page, label);
    if (typed === true) await field.check();
    else if (await field.evaluate((element) => element.matches("select")))
      await field.selectOption({ label: typed });
    else await field.fill(typed);
  };
  /** Fills and submits a form for a single task, and reads the run. */
  const submit = async (filled: readonly (readonly [string, string | true])[]): Promise<Submitted> => {
    const { page, close } = await open("/runs/new?template=-");
    await page.getByLabel("Task type").fill("everything");
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
    for (const [label, typed] of filled) await fill(page, label, typed);
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForURL(/\/runs\/p-/);
    const pipelineId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await close();
    const { orchestrator, inspection } = stage.hub.clients();
    for (;;) {
      const { pipeline } = await orchestrator.getPipeline({ pipelineId });
      const dispatchId = pipeline?.stages[0]?.dispatchId ?? "";
      if (pipeline && dispatchId !== "")
        return {
          pipeline,
          attempt: await inspection.getAttempt({ dispatchId: `${pipelineId}/everything/1` }),
        };
      // Security flags need an approval.
      const filter = `pipeline_id = "${pipelineId}" AND resolved = false`;
      for (const { escalationId } of (await orchestrator.listEscalations({ filter })).escalations)
        await orchestrator.resolveEscalation({ escalationId, resolution: "approve", reason: "a test" });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  let repository = "";
  let head = "";
  let full: Submitted;
  let least: Submitted;
  let shared: Submitted;
  beforeAll(async () => {
    if (browserPath === undefined) return;
    repository = makeRepository(stage.hub);
    head = execFileSync("git", ["-C", repository, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    const typed = fields.map(([label, text]) => [label, text] as const);
    const place = [
      ["Repository", repository],
      ["Base commit", head],
      ["Deadline", deadline],
    ] as const;
    full = await submit([...typed, ...place]);
    const work = [
      ["Title", "Do little"],
      ["Acceptance criteria", "it is done"],
    ] as const;
    least = await submit(work);
    shared = await submit([...work, ["Shared folder", repository], ["Branch", "master"]]);
  });

  it.each(fields)("sends %s", (_, __, seen, value) => {
    expect(seen(full)).toEqual(value);
  });

  it("sends Repository and Base commit", () => {
    expect(full.attempt.envelope?.workspace).toMatchObject({ repository, baseCommit: head });
  });

  it("sends Shared folder and Branch", () => {
    expect(shared.attempt.envelope?.workspace).toMatchObject({
      repository,
      path: repository,
      branch: "master",
    });
  });

  it("sends Deadline in the time zone of the page", () => {
    const { deadline: sent } = execution(full) ?? {};
    // The timeout of an attempt is earlier. The next test has an earlier deadline.
    expect(sent && timestampMs(sent)).toBeLessThan(Date.parse(`${deadline}:00`));
  });

  it("sends a Deadline that ends an attempt", async () => {
    const soon = new Date(Date.now() + 120_000);
    const local = new Date(soon.getTime() - soon.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    const work = [
      ["Title", "Hurry"],
      ["Acceptance criteria", "it is done"],
      ["Deadline", local],
    ] as const;
    const { deadline: sent } = execution(await submit(work)) ?? {};
    expect(sent && timestampMs(sent)).toBe(new Date(local).getTime());
  });

  it("sets no risk and no limit by default", () => {
    expect(execution(least)?.riskTier).not.toBe(RiskTier.LOW);
    expect(least.pipeline.policy?.budget).toBeUndefined();
    expect(least.pipeline.policy?.noRetries ?? false).toBe(false);
  });

  it("explains unstated risk and draws the template as a graph", async () => {
    const { page, close } = await open("/runs/new?template=implement-and-review");
    onTestFinished(close);
    const risk = fieldOf(page, "Risk");
    expect(await risk.locator("option:checked").textContent()).toBe("not set (treated as normal)");
    const stages = page.getByRole("list", { name: "Stages of the template" }).getByRole("listitem");
    await expect.poll(() => stages.count()).toBe(3);
    const boxes = await Promise.all([0, 1, 2].map((place) => stages.nth(place).boundingBox()));
    const [a, b, c] = boxes.map((one) => one?.x ?? 0);
    expect([a, b, c]).toEqual([a, b, c].toSorted((one, other) => (one ?? 0) - (other ?? 0)));
    expect(await page.getByRole("group", { name: "Graph" }).locator("svg path").count()).toBe(2);
    for (const name of ["Workspace", "Limits"]) await page.getByRole("region", { name }).waitFor();
    expect(await fieldOf(page, "Timeout per attempt").count()).toBe(0);
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
      await takePicture(page, `new-run-form-${look}`);
    });
  });
});
