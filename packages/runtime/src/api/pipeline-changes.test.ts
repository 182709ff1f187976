import { chmodSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  ArtifactAction,
  type Escalation,
  EscalationKind,
  GetPipelineChangesRequestSchema,
  ListEscalationsRequestSchema,
  ReviewStageRequestSchema,
  RiskTier,
  type TaskEnvelope,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, eventually, planOf, submit, TestAgent, testHub } from "../../testing/index.ts";
import { gitWorkspaces } from "../workspaces/git-workspaces.ts";
import { gitIn, repository, scratch, write } from "../workspaces/testing/repositories.ts";
import type { Hub } from "./hub.ts";

type Work = (folder: string, stageId: string) => void;

async function hubWith(work: Work): Promise<Hub> {
  const hub = await testHub({ workspaces: gitWorkspaces({ folder: join(scratch(), "workspaces") }) });
  onTestFinished(() => hub.drain(0));
  const answer = ({ execution, workspace }: TaskEnvelope) => {
    work(workspace?.path ?? "", execution?.dispatchId.split("/")[1] ?? "");
    return {};
  };
  new TestAgent(hub, { packId: "dev", maxTasks: 4, answer });
  return hub;
}

const person = { riskTier: RiskTier.CRITICAL } as const;
const low = { riskTier: RiskTier.LOW } as const;

/** The review that waits for a person, once one does. */
async function question(hub: Hub): Promise<Escalation> {
  const request = create(ListEscalationsRequestSchema, { filter: "resolved = false" });
  let found: Escalation | undefined;
  await eventually("a review", async () => {
    const { escalations } = await hub.listEscalations(ada, request);
    found = escalations.find(({ kind }) => kind === EscalationKind.REVIEW);
    return found !== undefined;
  });
  if (!found) throw new Error("nothing waits");
  return found;
}

async function underReview(hub: Hub, { dispatchId }: Pick<Escalation, "dispatchId">) {
  return hub.getPipelineChanges(ada, create(GetPipelineChangesRequestSchema, { dispatchId }));
}

/** One stage that a person reviews, and what that person is shown. */
async function reviewed(work: Work, shop = repository()) {
  const hub = await hubWith(work);
  await submit(hub, { workspace: { repository: shop }, plan: planOf(stages({ code: person })) });
  const asked = await question(hub);
  return { hub, shop, asked, changes: await underReview(hub, asked) };
}

describe("the change under review", () => {
  it("[PIP-06] contains everything since the start of the run, also when the stage under review changed nothing", async () => {
    const shop = repository();
    const head = gitIn(shop, "rev-parse", "HEAD");
    const hub = await hubWith((folder, stage) => {
      if (stage === "code") write(folder, { "total.js": "export const total = 1;\n", "a.test.js": "ok\n" });
      if (stage === "polish") write(folder, { "total.js": "export const total = 2;\n" });
    });
    const plan = planOf(stages({ code: low, polish: low, review: person }));
    await submit(hub, { workspace: { repository: shop }, plan });
    const asked = await question(hub);
    const changes = await underReview(hub, asked);
    expect(changes).toMatchObject({
      ...{ reason: "", baseCommit: head, repository: shop, filesLeftOut: 0, linesLeftOut: 0 },
      size: { files: 2, addedLines: 2, removedLines: 1 },
      files: [
        { path: "a.test.js", action: ArtifactAction.CREATED, test: true, addedLines: 1, newMode: "100644" },
        {
          ...{
            path: "total.js",
            action: ArtifactAction.MODIFIED,
            test: false,
            addedLines: 1,
            removedLines: 1,
          },
          diff: "@@ -1 +1 @@\n-export const total = 0;\n+export const total = 2;\n",
        },
      ],
    });
    expect(gitIn(shop, "diff", changes.baseCommit, changes.commit)).toContain("total = 2");
    // A list of questions says how large it is, without reading the change.
    expect(asked).toMatchObject({
      ...{ pipelineName: "Test", stageId: "review", packId: "dev" },
      snapshot: { change: { files: 2, addedLines: 2, removedLines: 1 } },
    });
  });

  it("[PIP-06] is the merge of both sides of a diamond", async () => {
    const shop = repository();
    const hub = await hubWith((folder, stage) => {
      if (stage !== "review") write(folder, { [`${stage}.js`]: `${stage}\n` });
    });
    const plan = planOf(
      stages({
        left: { ...low, dependsOnStages: [] },
        right: { ...low, dependsOnStages: [] },
        review: { ...person, dependsOnStages: ["left", "right"] },
      }),
    );
    await submit(hub, { workspace: { repository: shop }, plan });
    const asked = await question(hub);
    const changes = await underReview(hub, asked);
    expect(changes.files.map(({ path }) => path)).toEqual(["left.js", "right.js"]);
    expect(asked.snapshot?.change).toMatchObject({ files: 2, addedLines: 2, removedLines: 0 });
    gitIn(shop, "merge", "-q", changes.commit);
    expect(gitIn(shop, "diff", "--name-only", changes.baseCommit, "HEAD")).toBe("left.js\nright.js");
  });

  it("[PIP-06] names renamed, removed, binary and linked files, and changed modes", async () => {
    const shop = repository();
    const lines = Array.from({ length: 20 }, (_, place) => `line ${place}\n`).join("");
    write(shop, { "long.txt": lines, "run.sh": "#!/bin/sh\n", link: "a file\n" });
    gitIn(shop, "add", ".");
    gitIn(shop, "commit", "-qm", "more");
    const { changes } = await reviewed((folder) => {
      renameSync(join(folder, "long.txt"), join(folder, "moved.txt"));
      rmSync(join(folder, "total.js"));
      chmodSync(join(folder, "run.sh"), 0o755);
      rmSync(join(folder, "link"));
      symlinkSync("/etc/passwd", join(folder, "link"));
      write(folder, { "logo.png": "\u0000png\u0000" });
      // Attributes of the work do not decide what its reviewer sees.
      write(folder, { ".gitattributes": "*.js -diff\n", "src/cart.js": "changed\n" });
    }, shop);
    const byPath = Object.fromEntries(changes.files.map((file) => [file.path, file]));
    expect(byPath).toMatchObject({
      "moved.txt": { oldPath: "long.txt", action: ArtifactAction.MODIFIED, diff: "", addedLines: 0 },
      "total.js": { action: ArtifactAction.DELETED, removedLines: 1, oldMode: "100644", newMode: "" },
      "run.sh": { oldMode: "100644", newMode: "100755", diff: "", binary: false },
      link: { oldMode: "100644", newMode: "120000", addedLines: 1, removedLines: 1 },
      "logo.png": { binary: true, diff: "", addedLines: 0 },
      "src/cart.js": { binary: false, addedLines: 1, removedLines: 1 },
    });
    expect(byPath.link?.diff).toContain("+/etc/passwd");
    expect(byPath["src/cart.js"]?.diff).toContain("+changed");
  });

  it("[PIP-06] counts characters that a reader cannot see, in lines and in names", async () => {
    const { changes } = await reviewed((folder) =>
      write(folder, {
        "total.js": "if (role === 'user\u202e \u2066// admin only\u2069 \u2066') {\u200b}\n",
        "pay\u202elaod.js": "x\n",
        'quo"te\nd.js': "y\n",
      }),
    );
    const found = changes.files.map(({ path, hiddenCharacters }) => [path, hiddenCharacters]);
    expect(Object.fromEntries(found)).toEqual({ "total.js": 5, "pay\u202elaod.js": 1, 'quo"te\nd.js': 1 });
  });

  it("[PIP-06] is truncated when very large, reports the omission, and contains small files completely", async () => {
    const { changes } = await reviewed((folder) => {
      write(folder, { "a.txt": `${"x".repeat(99)}\n`.repeat(20_000), "z.txt": "small\n" });
      for (let file = 0; file < 520; file++) write(folder, { [`m/${file}.txt`]: "m\n" });
    });
    expect(changes.files).toHaveLength(500);
    expect(changes.filesLeftOut).toBe(22);
    const [large, ...others] = changes.files;
    expect(large?.addedLines).toBe(20_000);
    const lines = large?.diff.match(/^\+/gm)?.length ?? 0;
    expect(lines).toBeGreaterThan(1_000);
    expect(large?.diff.endsWith("x\n")).toBe(true);
    expect(large?.linesLeftOut).toBe(20_000 - lines);
    expect(others.every(({ diff }) => diff === "@@ -0,0 +1 @@\n+m\n")).toBe(true);
    expect(changes.size).toMatchObject({ files: 522, addedLines: 20_521 });
    expect(changes.linesLeftOut).toBe(20_000 - lines + 22);
  });

  it("[OBS-05] has its secrets masked, in lines and in names", async () => {
    const secret = `sk-ant-api03-${"aB3dE6gH9j".repeat(8)}`;
    const { changes } = await reviewed((folder) =>
      write(folder, { "total.js": `const key = "${secret}";\n`, [`${secret}.txt`]: "x\n" }),
    );
    expect(JSON.stringify(changes.files)).not.toContain(secret);
    expect(changes.files.find(({ path }) => path === "total.js")?.diff).toMatch(/^\+const key = .*redacted/m);
  });

  it("[PIP-06] is empty without changes", async () => {
    const { asked, changes } = await reviewed(() => {});
    expect(changes).toMatchObject({ reason: "", files: [], size: { files: 0 } });
    expect(asked.snapshot?.change).toMatchObject({ files: 0, addedLines: 0 });
  });

  it("[PIP-06] is the content of a shared folder", async () => {
    const shop = repository();
    const hub = await hubWith(() =>
      write(shop, { "total.js": "export const total = 3;\n", "new.js": "n\n" }),
    );
    const workspace = { repository: shop, path: shop };
    await submit(hub, { workspace, plan: planOf(stages({ code: person })) });
    const asked = await question(hub);
    const changes = await underReview(hub, asked);
    expect(changes).toMatchObject({ reason: "", commit: "", repository: shop });
    expect(changes.files.map(({ path }) => path)).toEqual(["new.js", "total.js"]);
    expect(asked.snapshot?.change).toMatchObject({ files: 2, addedLines: 2, removedLines: 1 });
  });

  it("[PIP-06] has a reason instead for a folder without git and a run without a workspace", async () => {
    const hub = await hubWith(() => {});
    const folder = scratch();
    await submit(hub, {
      workspace: { repository: folder, path: folder },
      plan: planOf(stages({ code: person })),
    });
    const first = await question(hub);
    expect((await underReview(hub, first)).reason).toContain("not a git repository");
    const { pipelineId, stageId, dispatchId } = first;
    const verdict = { case: "approval", value: {} } as const;
    const approval = { pipelineId, stageId, dispatchId, reason: "fine", verdict };
    await hub.reviewStage(ada, create(ReviewStageRequestSchema, approval));
    await submit(hub, { idempotencyKey: "another", plan: planOf(stages({ code: person })) });
    const second = await question(hub);
    expect(await underReview(hub, second)).toMatchObject({ reason: "the run has no repository", files: [] });
    expect(second.snapshot?.change).toBeUndefined();
  });
});
