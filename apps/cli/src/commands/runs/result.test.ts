import {
  AgentResultSchema,
  ArtifactAction,
  DecisionSchema,
  type Pipeline,
  PipelineStatus,
  StageConfigSchema,
  StageStatus,
  UsageSchema,
  WorkspaceSchema,
} from "@baton/contract";
import { create, type JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type Answers, startHub } from "../../../testing/hub-double.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { ended, pipelineId } from "../../../testing/sample.ts";

/** Three stages in a repository, of which the first two left commits. */
function aRepositoryRun(status: PipelineStatus, data: JsonObject): Pipeline {
  const pipeline = ended(status);
  const [implement, review, release] = pipeline.stages;
  const repository = "/home/ada/my shop";
  const workspace = (branch: string) => create(WorkspaceSchema, { repository, branch });
  const after = (...dependsOnStages: string[]) => create(StageConfigSchema, { dependsOnStages });
  const completed = { status: StageStatus.COMPLETED };
  Object.assign(implement ?? {}, { ...completed, commit: "0ddba11", workspace: workspace("baton/1") });
  Object.assign(review ?? {}, {
    ...{ ...completed, commit: "c0ffee", workspace: workspace("baton/2"), config: after("implement") },
    result: create(AgentResultSchema, {
      status: { summary: "looks right" },
      response: { status: 1, data, message: "Ship it on Friday." },
    }),
  });
  Object.assign(release ?? {}, {
    config: after("review"),
    ...(status === PipelineStatus.COMPLETED
      ? {}
      : { result: create(AgentResultSchema, { status: { failureReason: "the registry is down" } }) }),
  });
  return pipeline;
}

const files = [
  { path: "src/login.ts", action: ArtifactAction.CREATED },
  { path: "old.ts", action: ArtifactAction.DELETED },
];

function answers(pipeline: Pipeline): Answers {
  return {
    orchestrator: { getPipeline: () => ({ pipeline }) },
    inspection: {
      getPipelineChanges: ({ dispatchId }) =>
        dispatchId === "d-2" ? { files, filesLeftOut: 3 } : { reason: "the hub keeps no commit of it" },
    },
  };
}

async function show(pipeline: Pipeline): Promise<string> {
  await using hub = await startHub(answers(pipeline));
  const { stdout, code } = await runBaton(["runs", "show", pipelineId], { hub: hub.url });
  expect(code).toBe(0);
  return stdout;
}

describe("[PIP-12] baton runs show", () => {
  it("gives the result of a completed run first: answer, data, files, cost, and the command that merges it", async () => {
    const pipeline = aRepositoryRun(PipelineStatus.COMPLETED, { url: "/login", parts: [1, "\u001b[2J"] });
    pipeline.summary?.decisions.push(
      Object.assign(create(DecisionSchema), { description: "use cookies", rationale: "no state" }),
    );
    const view = await show(pipeline);
    const [heading, , title] = view.split("\n");
    expect(heading).toMatch(/^✓ completed {2}Add a login page/);
    expect(title).toBe("  Result");
    const result = view.slice(0, view.indexOf("\n  run "));
    expect(result).toMatch(/^ {4}review +looks right$/m);
    expect(result).toMatch(/^ {4}message +Ship it on Friday\.$/m);
    expect(result).toMatch(/^ {4}created +src\/login\.ts$/m);
    expect(result).toMatch(/^ {4}deleted +old\.ts\n {4}and +3 more files$/m);
    expect(result).toMatch(/^ {4}decided +use cookies: no state$/m);
    expect(result).toMatch(/^ {4}spent +12,345 tokens, \$0\.0123, 14 steps$/m);
    expect(result).toContain('    data of review\n      {\n        "url": "/login",\n');
    expect(result).not.toContain("\u001b");
    expect(result).toContain("    to merge the work\n      git -C '/home/ada/my shop' merge c0ffee\n");
  });

  it("[SAC-12] lists what each model spent, and never gives a cost that is unknown as nothing", async () => {
    const pipeline = aRepositoryRun(PipelineStatus.COMPLETED, {});
    const call = { calls: 2, inputTokens: 9_000n, outputTokens: 45n, cacheReadTokens: 8_000n };
    const models = [
      { ...call, provider: "anthropic", model: "claude", costMicroUsd: 12_300n },
      { model: "llama", calls: 1, inputTokens: 3_000n, outputTokens: 300n, costUnknown: true },
    ];
    const all = { inputTokens: 12_000n, outputTokens: 345n, costMicroUsd: 12_300n, steps: 14 };
    Object.assign(pipeline.summary ?? {}, {
      usage: create(UsageSchema, { ...all, models, costUnknown: true }),
    });
    const view = await show(pipeline);
    expect(view).toMatch(/^ {4}spent +12,345 tokens, more than \$0\.0123, 14 steps$/m);
    expect(view).toMatch(
      /^ {4}model +anthropic\/claude: 2 calls, 9,000 tokens read \(8,000 from a cache\), 45 written, \$0\.0123$/m,
    );
    expect(view).toMatch(/^ {4}model +llama: 1 call, 3,000 tokens read, 300 written, cost unknown$/m);
  });

  it.each([
    [PipelineStatus.FAILED, "failed"],
    [PipelineStatus.ABORTED, "aborted"],
  ])("gives why a run ended early and what was accepted until then, %s: %s", async (status, word) => {
    const pipeline = aRepositoryRun(status, { url: "/login" });
    const view = await show(Object.assign(pipeline, { statusReason: "the registry is down for good" }));
    const result = view.slice(0, view.indexOf("\n  run "));
    expect(result).toMatch(new RegExp(`^ {4}${word} +the registry is down for good$`, "m"));
    expect(result).toMatch(/^ {4}review +looks right$/m);
    expect(result).toMatch(/^ {4}release +the registry is down$/m);
    expect(result).toMatch(/^ {4}created +src\/login\.ts$/m);
    expect(result).toContain('"url": "/login"');
    expect(result).toMatch(/^ {4}spent +12,345 tokens/m);
    expect(result).toContain(
      "    to merge what was accepted until then\n      git -C '/home/ada/my shop' merge c0ffee\n",
    );
    // Said once.
    expect(view.match(/down for good/g)).toHaveLength(1);
  });

  it("cuts data that is long, and says where all of it is", async () => {
    const long = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`field${at}`, at]));
    const view = await show(aRepositoryRun(PipelineStatus.COMPLETED, long));
    expect(view).toContain('"field38"');
    expect(view).not.toContain('"field39"');
    expect(view).toContain(`… 22 more lines: baton runs show ${pipelineId} --output json\n`);
  });
});
