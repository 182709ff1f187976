import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
  ArtifactAction,
  AuditEventType,
  GetAttemptChangesRequestSchema,
  GetAttemptRequestSchema,
  ListAuditEntriesRequestSchema,
  type Pipeline,
  PipelineStatus,
  RiskTier,
  type TaskEnvelope,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  ada,
  eventually,
  planOf,
  reaches,
  read,
  refusalOf,
  submit,
  TestAgent,
  testHub,
} from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";
import { commandVerifier } from "../evidence/command-verifier.ts";
import { openMemoryStore } from "../stores/index.ts";
import { type GitWorkspacesOptions, gitWorkspaces } from "./git-workspaces.ts";
import { branches, dirty, fingerprint, gitIn, repository, scratch, write } from "./testing/repositories.ts";

type Answer = (envelope: TaskEnvelope, folder: string) => Parameters<TestAgent["answer"]>[1];

/** A hub with workspaces, and an agent that works in them. */
async function hubWith(answer: Answer, options: Partial<GitWorkspacesOptions> = {}) {
  const folder = join(scratch(), "workspaces");
  const store = openMemoryStore();
  const hub = await testHub({
    store,
    workspaces: gitWorkspaces({ folder, ...options }),
    verifier: commandVerifier({ workspaces: [] }),
  });
  onTestFinished(() => hub.drain(0));
  const agents = ["dev", "qa"].map(
    (packId) =>
      new TestAgent(hub, {
        packId,
        maxTasks: 4,
        tools: ["node"],
        answer: (envelope) => answer(envelope, envelope.workspace?.path ?? ""),
      }),
  );
  return { hub, store, folder, envelopes: () => agents.flatMap(({ envelopes }) => envelopes) };
}

const contract = { taskId: "t", title: "Add up", acceptanceCriteria: ["it adds up"] };

async function eventsOf(hub: Hub, pipelineId: string) {
  const seen: string[] = [];
  const request = create(WatchEventsRequestSchema, {
    filter: `pipeline_id = "${pipelineId}"`,
    afterSequence: 0n,
  });
  for await (const { message } of hub.watchEvents(ada, request, new AbortController().signal)) {
    if (message.case === "caughtUp") break;
    const payload = message.case === "record" ? message.value.event?.payload : undefined;
    if (payload?.case !== "taskTransition") continue;
    const { taskId, fromState, toState, gitHash } = payload.value;
    seen.push([taskId.slice(pipelineId.length + 1), fromState, toState, gitHash ?? ""].join(" ").trim());
  }
  return seen;
}

function stageOf(pipeline: Pipeline, stageId: string) {
  const stage = pipeline.stages.find((one) => one.stageId === stageId);
  if (!stage) throw new Error(`no stage ${stageId}`);
  return stage;
}

describe("a task that names a repository", () => {
  it("[PIP-07] takes the action of each file from git, not from the agent", async () => {
    const { hub } = await hubWith((_, folder) => {
      write(folder, { "total.js": "export const total = 42;\n", "added.js": "export const added = 1;\n" });
      const action = ArtifactAction.MODIFIED;
      return {
        artifacts: [
          { path: "added.js", action },
          { path: "total.js", action: ArtifactAction.CREATED },
        ],
      };
    });
    const pipelineId = await submit(hub, { workspace: { repository: repository() }, contract });
    const pipeline = await reaches(hub, pipelineId, PipelineStatus.COMPLETED, PipelineStatus.PAUSED);
    const seen = [
      { path: "added.js", action: ArtifactAction.CREATED },
      { path: "total.js", action: ArtifactAction.MODIFIED },
    ];
    expect(stageOf(pipeline, "code").result?.artifacts).toMatchObject(seen);
    expect(pipeline.summary?.artifacts).toMatchObject(seen);
    const { dispatchId } = stageOf(pipeline, "code");
    const { result } = await hub.getAttempt(ada, create(GetAttemptRequestSchema, { dispatchId }));
    expect(result?.artifacts).toMatchObject(seen);
  });

  it("[PIP-06] [TUR-08] [TUR-02] runs in a folder and on a branch of its own, and its work becomes a commit", async () => {
    const shop = repository();
    const head = gitIn(shop, "rev-parse", "HEAD");
    const { hub, store, envelopes } = await hubWith((_, folder) => {
      expect(gitIn(folder, "rev-parse", "HEAD")).toBe(head);
      expect(gitIn(folder, "status", "--porcelain")).toBe("");
      write(folder, { "total.js": "export const total = 42;\n" });
      return {};
    });
    const expectedFiles = { modify: ["total.js"] };
    const pipelineId = await submit(hub, {
      workspace: { repository: shop },
      contract: { ...contract, expectedFiles },
      patchSizeLimit: 2,
    });
    const pipeline = await reaches(hub, pipelineId, PipelineStatus.COMPLETED, PipelineStatus.PAUSED);
    expect(pipeline.status).toBe(PipelineStatus.COMPLETED);
    const branch = `baton/${pipelineId}/code/1`;
    const [{ workspace } = { workspace: undefined }] = envelopes();
    expect(workspace).toMatchObject({ repository: shop, baseCommit: head, branch });
    const commit = gitIn(shop, "rev-parse", branch);
    expect(gitIn(shop, "show", `${branch}:total.js`)).toBe("export const total = 42;");
    expect(gitIn(shop, "log", "-1", "--format=%an %P", branch)).toBe(`Baton ${head}`);
    expect(stageOf(pipeline, "code")).toMatchObject({ commit, workspace: { branch, baseCommit: head } });
    expect(await eventsOf(hub, pipelineId)).toEqual([
      "NONE PENDING",
      "PENDING RUNNING",
      "code PENDING READY",
      `code READY DISPATCHED ${head}`,
      `code DISPATCHED COMPLETED ${commit}`,
      `RUNNING COMPLETED ${commit}`,
    ]);
    expect(await store.tasks(pipelineId)).toEqual([
      { stageId: "code", state: "COMPLETED", headHash: commit },
    ]);
    const { entries } = await hub.listAuditEntries(
      ada,
      create(ListAuditEntriesRequestSchema, { pageSize: 100 }),
    );
    const snapshots = (type: AuditEventType) =>
      entries
        .filter(({ eventType }) => eventType === type)
        .map((entry) => entry.snapshot?.snapshotPayload.value);
    expect(snapshots(AuditEventType.GATE_PASSED)).toMatchObject([{ commit }]);
    expect(snapshots(AuditEventType.DISPATCH_SENT)).toMatchObject([{ baseCommit: head }]);
    await eventually("the workspace to be removed", () => !existsSync(workspace?.path ?? ""));
  });

  it("[PIP-07] shows the changes to its reviewer before the decision", async () => {
    const shop = repository();
    const { hub } = await hubWith((_, folder) => {
      write(folder, { "total.js": "export const total = 42;\n" });
      return {};
    });
    const pipelineId = await submit(hub, {
      contract,
      plan: planOf(stages({ code: {} })),
      workspace: { repository: shop },
      riskTier: RiskTier.CRITICAL,
    });
    await eventually("a review by a person", async () =>
      stageOf(await read(hub, pipelineId), "code")?.waitingFor.includes("a review by a person"),
    );
    const dispatchId = `${pipelineId}/code/1`;
    const changes = await hub.getAttemptChanges(ada, create(GetAttemptChangesRequestSchema, { dispatchId }));
    expect(changes).toMatchObject({ reason: "", commit: gitIn(shop, "rev-parse", `baton/${dispatchId}`) });
    expect(changes.patch).toContain("+export const total = 42;");
  });

  it("[PIP-06] leaves the user's checkout byte-identical and runs nothing of it", async () => {
    const shop = repository();
    const ran = dirty(shop);
    const before = fingerprint(shop);
    const { hub } = await hubWith((_, folder) => {
      expect(readFileSync(join(folder, "total.js"), "utf8")).toBe("export const total = 0;\n");
      // The agent changes only its own git directory.
      gitIn(folder, "config", "user.name", "Mallory");
      write(folder, { "total.js": "put away\n" });
      gitIn(folder, "stash");
      write(folder, { "total.js": "committed\n" });
      gitIn(folder, "commit", "-qam", "mine");
      gitIn(folder, "branch", "-f", "main");
      gitIn(folder, "gc", "-q");
      write(folder, { "more.js": "left\n", ".git/hooks/pre-commit": "#!/bin/sh\nexit 1\n" });
      return {};
    });
    const pipelineId = await submit(hub, { workspace: { repository: shop }, contract });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(fingerprint(shop)).toEqual(before);
    expect(existsSync(ran)).toBe(false);
    expect(branches(shop)).toEqual([`baton/${pipelineId}/code/1`]);
    const branch = `baton/${pipelineId}/code/1`;
    expect(gitIn(shop, "log", "--format=%an %s", `main..${branch}`).split("\n")).toEqual([
      "Baton Add up (code, attempt 1)",
      "Ada mine",
    ]);
    expect(gitIn(shop, "log", "-1", "--format=%b", branch)).toBe(`Work of the agent on ${branch}`);
    expect(gitIn(shop, "fsck", "--strict")).toBe("");
  });

  it("[PIP-06] [PIP-08] is retried from the committed work and compared with the original base", async () => {
    const shop = repository();
    const head = gitIn(shop, "rev-parse", "HEAD");
    const { hub, envelopes } = await hubWith(({ reviewFeedback }, folder) => {
      if (!reviewFeedback) write(folder, { "total.js": "one\n", "stray.js": "stray\n" });
      else {
        expect(readFileSync(join(folder, "total.js"), "utf8")).toBe("one\n");
        rmSync(join(folder, "stray.js"));
      }
      return {};
    });
    const pipelineId = await submit(hub, {
      workspace: { repository: shop },
      contract: { ...contract, expectedFiles: { modify: ["total.js"] } },
    });
    const pipeline = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(envelopes().map(({ workspace }) => [workspace?.branch, workspace?.baseCommit])).toEqual([
      [`baton/${pipelineId}/code/1`, head],
      [`baton/${pipelineId}/code/2`, head],
    ]);
    const first = gitIn(shop, "rev-parse", `baton/${pipelineId}/code/1`);
    const { commit } = stageOf(pipeline, "code");
    expect(gitIn(shop, "log", "-1", "--format=%H %P", `baton/${pipelineId}/code/2`)).toBe(
      `${commit} ${first}`,
    );
    expect(gitIn(shop, "diff", "--name-only", head, commit)).toBe("total.js");
  });

  it("[PIP-06] names the branch of a stage only where one exists: without changes there is none", async () => {
    const shop = repository();
    const { hub } = await hubWith(({ execution }, folder) => {
      if (execution?.dispatchId.includes("/begin/")) write(folder, { "total.js": "one\n" });
      return {};
    });
    const plan = planOf(stages({ begin: {}, look: { dependsOnStages: ["begin"] } }));
    const pipelineId = await submit(hub, { workspace: { repository: shop }, contract, plan });
    const pipeline = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const begin = stageOf(pipeline, "begin");
    const look = stageOf(pipeline, "look");
    expect(begin.workspace?.branch).toBe(`baton/${pipelineId}/begin/1`);
    expect(look).toMatchObject({ commit: begin.commit, workspace: { repository: shop, branch: "" } });
    await eventually("the workspaces to be removed", () => branches(shop).length === 1);
    expect(branches(shop)).toEqual([begin.workspace?.branch]);
  });

  it("[PIP-03] [PIP-04] runs parallel stages in workspaces of their own and continues from their merge", async () => {
    const shop = repository();
    const { hub, envelopes } = await hubWith(({ execution }, folder) => {
      const stage = execution?.dispatchId.split("/")[1] ?? "";
      if (stage === "join") {
        expect(readFileSync(join(folder, "left.js"), "utf8")).toBe("left\n");
        expect(readFileSync(join(folder, "right.js"), "utf8")).toBe("right\n");
      }
      write(folder, { [`${stage}.js`]: `${stage}\n` });
      return {};
    });
    const plan = planOf(
      stages({
        begin: {},
        left: { dependsOnStages: ["begin"] },
        right: { dependsOnStages: ["begin"] },
        join: { dependsOnStages: ["left", "right"] },
      }),
    );
    const pipelineId = await submit(hub, { workspace: { repository: shop }, contract, plan });
    const pipeline = await reaches(hub, pipelineId, PipelineStatus.COMPLETED, PipelineStatus.PAUSED);
    expect(pipeline.status).toBe(PipelineStatus.COMPLETED);
    expect(new Set(envelopes().map(({ workspace }) => workspace?.path)).size).toBe(4);
    const { commit, workspace } = stageOf(pipeline, "join");
    const [left, right] = [stageOf(pipeline, "left").commit, stageOf(pipeline, "right").commit];
    expect(gitIn(shop, "log", "-1", "--format=%P", workspace?.baseCommit ?? "")).toBe(`${left} ${right}`);
    expect(gitIn(shop, "ls-tree", "--name-only", commit).split("\n")).toEqual([
      "begin.js",
      "join.js",
      "left.js",
      "right.js",
      "src",
      "total.js",
    ]);
    expect(stageOf(pipeline, "left").workspace?.baseCommit).toBe(stageOf(pipeline, "begin").commit);
  });

  it("[PIP-06] asks a person when the changes of two stages conflict", async () => {
    const shop = repository();
    const { hub } = await hubWith(({ execution }, folder) => {
      write(folder, { "total.js": `${execution?.dispatchId}\n` });
      return {};
    });
    const plan = planOf(
      stages({ left: {}, right: { dependsOnStages: [] }, join: { dependsOnStages: ["left", "right"] } }),
    );
    const pipelineId = await submit(hub, { workspace: { repository: shop }, contract, plan });
    const waiting = await eventually("a question", async () => {
      const join = stageOf(await read(hub, pipelineId), "join");
      return join.waitingFor.startsWith("a person") ? join.waitingFor : undefined;
    });
    expect(waiting).toMatch(
      /^a person: its workspace could not be prepared: earlier stages made conflicting changes in total\.js: /,
    );
  });

  it.each([
    ["that it rewrites", (folder: string) => gitIn(folder, "checkout", "-q", "--orphan", "other")],
    ["that it breaks", (folder: string) => write(folder, { ".git/HEAD": "nonsense\n" })],
    ["that it removes", (folder: string) => rmSync(join(folder, ".git"), { recursive: true })],
    [
      "that it leads elsewhere",
      (folder: string) => {
        rmSync(join(folder, ".git"), { recursive: true });
        symlinkSync(join(folder, "src"), join(folder, ".git"));
      },
    ],
    [
      "in which it hides a change",
      (folder: string) => {
        write(folder, { ".git/info/exclude": "*\n" });
        gitIn(folder, "update-index", "--assume-unchanged", "src/cart.js");
      },
    ],
    [
      "that it lets run programs",
      (folder: string) => {
        gitIn(folder, "config", "core.fsmonitor", "touch ../ran; false");
        gitIn(folder, "config", "filter.own.clean", "touch ../ran; echo other");
        gitIn(folder, "config", "core.alternateRefsCommand", "touch ../ran");
        gitIn(folder, "config", "uploadpack.packObjectsHook", "touch ../ran");
        write(folder, { ".git/info/attributes": "* filter=own\n" });
      },
    ],
    [
      "that would fetch what is missing with a program",
      (folder: string) => {
        gitIn(folder, "config", "core.repositoryFormatVersion", "1");
        gitIn(folder, "config", "extensions.partialClone", "origin");
        gitIn(folder, "config", "remote.origin.url", `ext::touch ${join(folder, "../ran")}`);
        gitIn(folder, "config", "remote.origin.promisor", "true");
        gitIn(folder, "config", "protocol.ext.allow", "always");
        write(folder, { ".git/HEAD": `${"1".repeat(40)}\n` });
      },
    ],
  ])("[PIP-07] keeps the work of an agent whose git is one %s", async (_, spoil) => {
    const shop = repository();
    let workspace = "";
    const { hub } = await hubWith((_, folder) => {
      workspace = folder;
      write(folder, { "src/cart.js": "work\n" });
      spoil(folder);
      return {};
    });
    const pipelineId = await submit(hub, {
      workspace: { repository: shop },
      contract: { ...contract, expectedFiles: { modify: ["src/cart.js"] } },
    });
    const pipeline = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(gitIn(shop, "show", `${stageOf(pipeline, "code").commit}:src/cart.js`)).toBe("work");
    expect(existsSync(join(workspace, "../ran"))).toBe(false);
  });

  it("[PIP-07] removes what git would run from a retained workspace", async () => {
    const shop = repository();
    let workspace = "";
    const ran = join(scratch(), "ran");
    const { hub } = await hubWith(
      (_, folder) => {
        workspace = folder;
        gitIn(folder, "config", "core.fsmonitor", `touch ${ran}; false`);
        write(folder, { "new.txt": "new\n", ".git/hooks/pre-commit": `#!/bin/sh\ntouch ${ran}\n` });
        chmodSync(join(folder, ".git/hooks/pre-commit"), 0o755);
        return {};
      },
      { keep: "always" },
    );
    const pipelineId = await submit(hub, { workspace: { repository: shop }, contract });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    rmSync(ran, { force: true });
    expect(gitIn(workspace, "status", "--short")).toContain("new.txt");
    gitIn(workspace, "add", ".");
    gitIn(workspace, "commit", "-qm", "by a person who looks");
    expect(existsSync(ran)).toBe(false);
  });

  it.each<[string, (objects: string, hidden: string) => void]>([
    ["that it names", (objects, hidden) => write(objects, { "info/alternates": `${hidden}\n` })],
    [
      "whose folders it links",
      (objects, hidden) => {
        for (const name of readdirSync(hidden)) {
          rmSync(join(objects, name), { recursive: true, force: true });
          symlinkSync(join(hidden, name), join(objects, name));
        }
      },
    ],
    [
      "whose files it links",
      (objects, hidden) => {
        for (const path of readdirSync(hidden, { recursive: true, encoding: "utf8" }))
          if (statSync(join(hidden, path)).isFile()) {
            mkdirSync(dirname(join(objects, path)), { recursive: true });
            symlinkSync(join(hidden, path), join(objects, path));
          }
      },
    ],
  ])("[TRN-03] imports nothing of another repository of the machine %s", async (_, lead) => {
    const [shop, hidden] = [repository(), repository()];
    write(hidden, { "plan.md": "nobody may know\n" });
    gitIn(hidden, "add", ".");
    gitIn(hidden, "commit", "-qm", "hidden");
    const secret = gitIn(hidden, "rev-parse", "HEAD");
    const { hub } = await hubWith((_envelope, folder) => {
      lead(join(folder, ".git/objects"), join(hidden, ".git/objects"));
      const lines = [
        `tree ${gitIn(hidden, "rev-parse", "HEAD^{tree}")}`,
        ...[gitIn(folder, "rev-parse", "HEAD"), secret].map((parent) => `parent ${parent}`),
        ...["author", "committer"].map((who) => `${who} a <a@b.c> 1700000000 +0000`),
      ];
      write(folder, { "../forged": `${lines.join("\n")}\n\nmerge\n` });
      const forged = gitIn(folder, "hash-object", "-t", "commit", "-w", "--literally", "../forged");
      rmSync(join(folder, "../forged"));
      writeFileSync(join(folder, ".git/HEAD"), `${forged}\n`);
      write(folder, { "src/cart.js": "work\n" });
      return {};
    });
    const pipelineId = await submit(hub, { workspace: { repository: shop }, contract });
    const pipeline = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const { commit = "" } = pipeline.stages[0] ?? {};
    expect(gitIn(shop, "show", `${commit}:src/cart.js`)).toBe("work");
    expect(() => gitIn(shop, "cat-file", "-e", secret)).toThrow();
    expect(gitIn(shop, "log", "--format=%s", commit)).not.toContain("hidden");
  });

  it("[PIP-07] runs git without any protocol to fetch with, despite the repository's settings", async () => {
    const shop = repository();
    const bin = scratch();
    const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
    const log = join(bin, "log");
    writeFileSync(join(bin, "git"), `#!/bin/sh\necho "$GIT_ALLOW_PROTOCOL" >> ${log}\nexec ${real} "$@"\n`, {
      mode: 0o755,
    });
    vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { hub } = await hubWith((_, folder) => {
      write(folder, { "src/cart.js": "work\n" });
      return {};
    });
    const pipelineId = await submit(hub, { workspace: { repository: shop }, contract });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const seen = readFileSync(log, "utf8").trimEnd().split("\n");
    expect(new Set(seen)).toEqual(new Set(["none"]));
  });

  it.each([
    [
      "by committing them",
      (folder: string) => [gitIn(folder, "add", "."), gitIn(folder, "commit", "-qm", "x")],
    ],
    [
      "by moving what it began with",
      (folder: string) => [
        gitIn(folder, "add", "."),
        gitIn(folder, "commit", "-qm", "x"),
        gitIn(folder, "branch", "-f", "base"),
      ],
    ],
    ["in a repository inside", (folder: string) => gitIn(join(folder, "inner"), "init", "-q")],
    [
      "by attributes that say there is no text",
      (folder: string) => write(folder, { ".gitattributes": "* -diff\n" }),
    ],
  ])("[PIP-06] sees files that an agent hides %s", async (_, hide) => {
    const shop = repository();
    const { hub } = await hubWith((_, folder) => {
      write(folder, { "inner/hidden.js": "a\nb\nc\n" });
      hide(folder);
      return {};
    });
    const pipelineId = await submit(hub, {
      workspace: { repository: shop },
      contract: { ...contract, expectedFiles: { modify: ["total.js"] } },
      plan: planOf(stages({ code: { handoffPolicy: { retry: { maxAttempts: 1 } } } })),
    });
    const pipeline = await reaches(hub, pipelineId, PipelineStatus.PAUSED, PipelineStatus.FAILED);
    const { entries } = await hub.listAuditEntries(
      ada,
      create(ListAuditEntriesRequestSchema, { pageSize: 100 }),
    );
    const gate = entries.find(({ eventType }) => eventType === AuditEventType.GATE_FAILED);
    expect(JSON.stringify(gate?.snapshot?.snapshotPayload.value)).toContain("files nobody expected: ");
    expect(JSON.stringify(gate?.snapshot?.snapshotPayload.value)).toContain("inner/");
    expect(stageOf(pipeline, "code").commit).toMatch(/^[0-9a-f]{40}$/);
  });

  it("[PIP-07] counts lines that attributes would hide", async () => {
    const shop = repository();
    const { hub } = await hubWith((_, folder) => {
      write(folder, { "total.js": "a\nb\nc\nd\n", ".gitattributes": "*.js -diff\n" });
      return {};
    });
    const pipelineId = await submit(hub, { workspace: { repository: shop }, contract, patchSizeLimit: 5 });
    await eventually(
      "a gate that fails",
      async () => (await read(hub, pipelineId)).stages[0]?.attemptNumber === 2,
    );
    const { entries } = await hub.listAuditEntries(
      ada,
      create(ListAuditEntriesRequestSchema, { pageSize: 100 }),
    );
    const gate = entries.find(({ eventType }) => eventType === AuditEventType.GATE_FAILED);
    expect(JSON.stringify(gate?.snapshot?.snapshotPayload.value)).toContain(
      "6 changed lines are more than the 5",
    );
  });

  it.each([
    [
      "another digest",
      { path: "total.js", digest: `sha256:${"0".repeat(64)}` },
      /the agent says that "total.js" is sha256:0/,
    ],
    ["a file that does not exist", { path: "none.js", digest: "" }, /"none.js", and it is not there/],
    [
      "a file elsewhere",
      { path: "../../../../etc/passwd", digest: "" },
      /no file of its own: it contains "\.\."/,
    ],
    ["git's own", { path: ".GIT/config", digest: "" }, /leads into \.git/],
  ])("[PIP-07] finds out when an agent claims %s, and counts it as a lie", async (_, artifact, reason) => {
    const shop = repository();
    const { hub } = await hubWith((_, folder) => {
      write(folder, { "total.js": "work\n" });
      return { artifacts: [{ action: ArtifactAction.MODIFIED, ...artifact }] };
    });
    const pipelineId = await submit(hub, { workspace: { repository: shop }, contract });
    await eventually(
      "a gate that fails",
      async () => (await read(hub, pipelineId)).stages[0]?.attemptNumber === 2,
    );
    const { entries } = await hub.listAuditEntries(
      ada,
      create(ListAuditEntriesRequestSchema, { pageSize: 100 }),
    );
    const gate = entries.find(({ eventType }) => eventType === AuditEventType.GATE_FAILED);
    const payload = gate?.snapshot?.snapshotPayload;
    expect(payload?.case === "gate" ? payload.value.checks[0]?.evidence : "").toMatch(reason);
  });

  it("[PIP-07] runs the contract's commands on the commit, and commits nothing of their output", async () => {
    const shop = repository();
    const { hub } = await hubWith((_, folder) => {
      write(folder, { "total.js": "work\n" });
      return {};
    });
    const testCommand = `node --eval 'require("fs").writeFileSync("left-by-test", require("fs").readFileSync("total.js"))'`;
    const pipelineId = await submit(hub, {
      workspace: { repository: shop },
      contract: { ...contract, environment: { testCommand } },
      riskTier: RiskTier.LOW,
    });
    const pipeline = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const { commit } = stageOf(pipeline, "code");
    expect(gitIn(shop, "ls-tree", "--name-only", commit).split("\n")).toEqual(["src", "total.js"]);
  });

  it.each([
    ["https://example.com/shop.git", /is an address/],
    ["git@example.com:shop.git", /is an address/],
    ["file:///srv/shop", /is an address/],
    ["shop", /is a relative path/],
    ["/srv/shop\n", /has a control character/],
  ])("[PIP-06] is refused when it cannot be one of this machine: %s", async (given, message) => {
    const { hub } = await hubWith(() => ({}));
    const refusal = await refusalOf(submit(hub, { workspace: { repository: given }, contract }));
    expect(refusal).toMatchObject({ code: "BATON-PIPELINE-001" });
    expect(refusal.message).toMatch(message);
  });
});
