import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  EscalationKind,
  ListEscalationsRequestSchema,
  Outcome,
  PipelineStatus,
  ResolveEscalationRequestSchema,
  ResponseStatus,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  eventually,
  planOf,
  reaches,
  read,
  silent,
  submit,
  TestAgent,
  testHub,
} from "../../testing/index.ts";
import { type GitWorkspacesOptions, gitWorkspaces } from "../workspaces/git-workspaces.ts";
import { gitIn, repository, scratch } from "../workspaces/testing/repositories.ts";
import type { Hub } from "./hub.ts";
import { leavesAFile, preview, rewind } from "./testing/rewinds.ts";

const contract = { taskId: "t", title: "Add up", acceptanceCriteria: ["it adds up"] };
const plan = planOf(stages({ a: {}, b: {}, c: {} }));

/** Branches on which their own attempt has left something. Others are only where it was to begin. */
function worked(shop: string, pipelineId: string): Record<string, string> {
  const under = `refs/heads/baton/${pipelineId}/`;
  const listed = gitIn(shop, "for-each-ref", "--format=%(refname) %(objectname) %(contents:subject)", under);
  const all = listed.split("\n").flatMap((line) => {
    const [name = "", commit = "", ...subject] = line.slice(under.length).split(" ");
    const [stage, attempt] = name.split("/");
    return subject.join(" ").endsWith(`(${stage}, attempt ${attempt})`) ? [[name, commit] as const] : [];
  });
  return Object.fromEntries(all);
}

async function answerQuestion(hub: Hub): Promise<void> {
  const escalationId = await eventually("a question", async () => {
    const { escalations } = await hub.listEscalations(ada, create(ListEscalationsRequestSchema));
    return escalations.find(({ kind }) => kind === EscalationKind.CLARIFICATION)?.escalationId;
  });
  const request = { escalationId, resolution: "the first of the two" };
  await hub.resolveEscalation(ada, create(ResolveEscalationRequestSchema, request));
}

/** Each attempt creates a file, and the first one asks. Returns the branches at each stable point. */
async function walk(options: Partial<GitWorkspacesOptions> = {}) {
  const shop = repository();
  const folder = join(scratch(), "workspaces");
  const hub = await testHub({ workspaces: gitWorkspaces({ folder, ...options }) });
  onTestFinished(() => hub.drain(0));
  const agent = new TestAgent(hub, { packId: "dev", maxTasks: 100, answer: silent });
  const pipelineId = await submit(hub, { workspace: { repository: shop }, contract, plan });
  const points = new Map<bigint, Record<string, string>>();
  const look = async () => points.set((await read(hub, pipelineId)).revision, worked(shop, pipelineId));
  const question = {
    response: { status: ResponseStatus.CLARIFICATION_NEEDED, message: "which of the two?" },
  };
  const first = await agent.envelope(1);
  await look();
  agent.answer(first, { ...leavesAFile(first), ...question });
  await answerQuestion(hub);
  for (const place of [2, 3, 4]) {
    const envelope = await agent.envelope(place);
    await look();
    agent.answer(envelope, leavesAFile(envelope));
  }
  const { revision: end } = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  await look();
  return { hub, shop, pipelineId, points, end };
}

describe("a pipeline that is rewound again and again", () => {
  it("[TUR-08] to where an attempt had only begun, and back to the end, has all of its branches again", async () => {
    const { hub, shop, pipelineId, points, end } = await walk();
    const [, begun = 0n] = points.keys();
    expect(Object.keys(points.get(end) ?? {}).sort()).toEqual(["a/1", "a/2", "b/1", "c/1"]);
    for (const revision of [1n, begun, end])
      expect((await rewind(hub, pipelineId, revision)).branchProblem).toBe("");
    expect((await read(hub, pipelineId)).status).toBe(PipelineStatus.COMPLETED);
    expect(worked(shop, pipelineId)).toEqual(points.get(end));
  });

  it("[TUR-08] keeps the work of an attempt that ended before, and does not report it as foreign", async () => {
    const { hub, shop, pipelineId, points } = await walk();
    const [, begun = 0n] = points.keys();
    expect(Object.keys(points.get(begun) ?? {})).toEqual(["a/1"]);
    const { branches, atRisk } = await preview(hub, pipelineId, begun);
    expect(branches.map(({ branch }) => branch)).not.toContain(`baton/${pipelineId}/a/1`);
    expect(atRisk).toEqual([]);
    await rewind(hub, pipelineId, begun);
    expect(worked(shop, pipelineId)).toEqual(points.get(begun));
  });

  it("[TUR-08] by two at once has the branches of where the second one went", async () => {
    const { hub, shop, pipelineId, points, end } = await walk();
    for (const revision of [1n, end]) await rewind(hub, pipelineId, revision);
    await Promise.all([rewind(hub, pipelineId, 1n), rewind(hub, pipelineId, end)]);
    expect((await read(hub, pipelineId)).status).toBe(PipelineStatus.COMPLETED);
    expect(worked(shop, pipelineId)).toEqual(points.get(end));
  });

  it("[TUR-08] in any order restores the branches of each point", async () => {
    const { hub, shop, pipelineId, points } = await walk({ keep: "never" });
    const revisions = [...points.keys()];
    let seed = 20_261_117;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const walked: bigint[] = [];
    for (let step = 0; step < 8; step++) {
      const revision = revisions[next(revisions.length)] ?? 1n;
      walked.push(revision);
      await rewind(hub, pipelineId, revision);
      expect([walked, worked(shop, pipelineId)]).toEqual([walked, points.get(revision)]);
    }
  });
});

describe("work of an attempt that was never inspected", () => {
  it.each(["never", "failed"] as const)(
    "[TUR-08] is the hub's own work when its workspace was removed: keep %s",
    async (keep) => {
      const shop = repository();
      const folder = join(scratch(), "workspaces");
      const hub = await testHub({ workspaces: gitWorkspaces({ folder, keep, keepForMs: 1 }) });
      onTestFinished(() => hub.drain(0));
      const retryable = { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "try later" } };
      new TestAgent(hub, {
        packId: "dev",
        answer: (envelope) => {
          const done = leavesAFile(envelope);
          return envelope.execution?.dispatchId.endsWith("a/1") ? { ...done, ...retryable } : done;
        },
      });
      const soon = { handoffPolicy: { retry: { maxAttempts: 3, initialBackoff: { nanos: 1_000_000 } } } };
      const pipelineId = await submit(hub, {
        ...{ workspace: { repository: shop }, contract },
        plan: planOf(stages({ a: soon, b: {} })),
      });
      const { revision } = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
      const all = worked(shop, pipelineId);
      expect(Object.keys(all).sort()).toEqual(["a/1", "a/2", "b/1"]);
      rmSync(join(folder, "places"), { recursive: true });
      expect((await preview(hub, pipelineId, 1n)).atRisk).toEqual([]);
      await rewind(hub, pipelineId, 1n);
      await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
      await rewind(hub, pipelineId, revision);
      expect(worked(shop, pipelineId)).toEqual(all);
    },
  );
});
