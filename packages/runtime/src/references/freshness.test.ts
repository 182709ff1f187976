import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ArtifactAction,
  ContextPropagationMode,
  EscalationKind,
  ExplainDispatchRequestSchema,
  ListAuditEntriesRequestSchema,
  ListEscalationsRequestSchema,
  PipelineStatus,
  RefType,
  ResolveEscalationRequestSchema,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  dispatchOf,
  ended,
  eventually,
  Lives,
  planOf,
  reaches,
  submit,
  TestAgent,
  type TestAgentOptions,
  testHub,
} from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";
import { commandVerifier } from "../evidence/command-verifier.ts";
import { openMemoryStore } from "../stores/index.ts";
import { gitWorkspaces } from "../workspaces/git-workspaces.ts";
import { referenceReader } from "./reference-reader.ts";

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "baton-freshness-")));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const sha256 = (content: string) => `sha256:${createHash("sha256").update(content).digest("hex")}`;
const minute = { maxRefStaleness: durationFromMs(60_000) };

/** A plan of one stage with this freshness. */
function stageWith(freshness: { readonly requireDigest?: boolean }) {
  return planOf(stages({ a: { handoffPolicy: { freshness: { ...minute, ...freshness } } } }));
}

async function attached(hub: Hub, options: TestAgentOptions): Promise<TestAgent> {
  const agent = new TestAgent(hub, options);
  await agent.receive("welcome");
  return agent;
}

async function decisions(hub: Hub, pipelineId: string) {
  const filter = `pipeline_id = "${pipelineId}"`;
  const { entries } = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema, { filter }));
  return entries.flatMap(({ action, snapshot }) =>
    snapshot?.snapshotPayload.case === "dispatch" ? [{ action, ...snapshot.snapshotPayload.value }] : [],
  );
}

async function question(hub: Hub) {
  return eventually("a question", async () => {
    const { escalations } = await hub.listEscalations(ada, create(ListEscalationsRequestSchema));
    return escalations[0];
  });
}

describe("a task whose references are too old", () => {
  it("[DIS-11] is sent with what they are now: digest, version and time", async () => {
    const home = folder();
    writeFileSync(join(home, "spec.md"), "now");
    const hub = await testHub({ references: referenceReader({ folders: [home] }) });
    const agent = await attached(hub, { packId: "dev" });
    const before = Date.now();
    const old = { digest: sha256("then"), fetchedAt: timestampFromMs(before - 3_600_000) };
    const id = await submit(hub, {
      plan: stageWith({ requireDigest: true }),
      refs: [{ uriOrLocator: "spec.md", refType: RefType.FILE, ...old }],
      workspace: { repository: home, path: home },
    });
    await reaches(hub, id, ...ended);
    const [ref] = agent.envelopes[0]?.refs ?? [];
    expect(ref).toMatchObject({ uriOrLocator: "spec.md", digest: sha256("now"), degraded: false });
    expect(ref?.versionOrSha).toMatch(/^\d{4}-/);
    expect(ref?.fetchedAt && timestampMs(ref.fetchedAt)).toBeGreaterThanOrEqual(before);
    const [decision] = await decisions(hub, id);
    expect(decision?.refFreshness).toMatchObject([
      { uriOrLocator: "spec.md", wasStale: true, refreshSucceeded: true, dispatchedWithDegraded: false },
    ]);
    await hub.drain(0);
  });

  it("[DIS-11] waits for a person when one is gone and the policy is strict; it goes on when it is there again", async () => {
    const home = folder();
    const hub = await testHub({ references: referenceReader({ folders: [home] }) });
    const agent = await attached(hub, { packId: "dev" });
    const path = join(home, "spec.md");
    const id = await submit(hub, {
      plan: stageWith({ requireDigest: true }),
      refs: [{ uriOrLocator: path, refType: RefType.FILE }],
    });
    const { kind, snapshot, escalationId } = await question(hub);
    expect(kind).toBe(EscalationKind.FRESHNESS);
    expect(snapshot?.problem).toBe(
      `references are too old and cannot be read again: ${path}: it does not exist, or is outside the folders that the hub may read`,
    );
    expect(agent.envelopes).toEqual([]);
    expect(
      (await decisions(hub, id)).map(({ action, refFreshness }) => [action, refFreshness]),
    ).toMatchObject([
      ["did not send", [{ wasStale: true, refreshSucceeded: false, dispatchedWithDegraded: false }]],
    ]);
    writeFileSync(path, "now");
    await hub.resolveEscalation(
      ada,
      create(ResolveEscalationRequestSchema, {
        escalationId,
        resolution: "retry",
        reason: "it is there again",
      }),
    );
    expect((await reaches(hub, id, ...ended)).status).toBe(PipelineStatus.COMPLETED);
    expect(agent.envelopes[0]?.refs[0]?.digest).toBe(sha256("now"));
    await hub.drain(0);
  });

  it("[DIS-09] [DIS-11] is sent with the marker when one is gone and the policy is not strict", async () => {
    const hub = await testHub({ references: referenceReader({ folders: [folder()] }) });
    const agent = await attached(hub, { packId: "dev" });
    const refs = [{ uriOrLocator: "/etc/hostname", refType: RefType.FILE, digest: sha256("then") }];
    const id = await submit(hub, { plan: stageWith({}), refs });
    await reaches(hub, id, ...ended);
    expect(agent.envelopes[0]?.refs).toMatchObject([
      {
        ...{ digest: sha256("then"), degraded: true },
        degradedReason: "it does not exist, or is outside the folders that the hub may read",
      },
    ]);
    const [decision] = await decisions(hub, id);
    expect(decision?.refFreshness).toMatchObject([
      { wasStale: true, refreshSucceeded: false, dispatchedWithDegraded: true },
    ]);
    const dispatchId = dispatchOf(await agent.envelope());
    const { explanation } = await hub.explainDispatch(
      ada,
      create(ExplainDispatchRequestSchema, { dispatchId }),
    );
    expect(explanation.split("\n").at(-1)).toBe(
      "  reference /etc/hostname: is too old, and could not be read again: it does not exist, or is outside the folders that the hub may read",
    );
    await hub.drain(0);
  });

  it("[DIS-11] gets documents of the web read, from a real server", async () => {
    const server = createServer((_, response) => void response.setHeader("etag", '"7"').end("page"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const uriOrLocator = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const hub = await testHub({ references: referenceReader({ folders: [], hosts: ["127.0.0.1"] }) });
    const agent = await attached(hub, { packId: "dev" });
    const plan = stageWith({ requireDigest: true });
    await reaches(hub, await submit(hub, { plan, refs: [{ uriOrLocator }] }), ...ended);
    expect(agent.envelopes[0]?.refs).toMatchObject([{ digest: sha256("page"), versionOrSha: '"7"' }]);
    await hub.drain(0);
  });

  it("[DIS-11] is sent when the reader itself fails, with the marker: nothing ends for it", async () => {
    const hub = await testHub({ references: { read: () => Promise.reject(new Error("a secret")) } });
    const agent = await attached(hub, { packId: "dev" });
    await reaches(hub, await submit(hub, { plan: stageWith({}) }), ...ended);
    expect(agent.envelopes[0]?.refs).toMatchObject([
      { degraded: true, degradedReason: "it could not be read" },
    ]);
    await hub.drain(0);
  });

  it("[DIS-11] [PIP-11] has them read after a restart of a hub that lost power", async () => {
    const home = folder();
    writeFileSync(join(home, "spec.md"), "now");
    const lives = new Lives(openMemoryStore());
    const asked = Promise.withResolvers<void>();
    const references = {
      read: () => {
        asked.resolve();
        return new Promise<never>(() => {});
      },
    };
    const first = await lives.begin({ references });
    const agent = await attached(first.hub, { packId: "dev" });
    const refs = [{ uriOrLocator: "spec.md", refType: RefType.FILE }];
    const id = await submit(first.hub, {
      plan: stageWith({}),
      refs,
      workspace: { repository: home, path: home },
    });
    await asked.promise;
    first.kill();
    const second = await lives.begin({ references: referenceReader({ folders: [home] }) });
    const moved = agent.moveTo(second.hub);
    await reaches(second.hub, id, ...ended);
    expect(moved.envelopes[0]?.refs).toMatchObject([{ digest: sha256("now"), degraded: false }]);
    await second.hub.drain(0);
  });
});

describe("an artifact of an earlier stage", () => {
  /** The first stage says that it made `made.txt` with this digest in its commit; the second one gets it. */
  async function handedOver(digest: string) {
    const home = folder();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: home })
        .toString()
        .trim();
    git("init", "-q");
    writeFileSync(join(home, "made.txt"), "made");
    git("add", ".");
    git("commit", "-qm", "made");
    const commitSha = git("rev-parse", "HEAD");
    rmSync(join(home, "made.txt"));
    const hub = await testHub({ references: referenceReader({ folders: [home] }) });
    const artifacts = [{ path: "made.txt", action: ArtifactAction.CREATED, digest }];
    const agent = await attached(hub, { packId: "dev", answer: () => ({ artifacts, commitSha }) });
    const contextPropagation = { mode: ContextPropagationMode.PREVIOUS, carryArtifacts: true };
    const plan = planOf(
      stages({ make: {}, use: { handoffPolicy: { freshness: minute }, contextPropagation } }),
    );
    await reaches(hub, await submit(hub, { plan, workspace: { repository: home, path: home } }), ...ended);
    await hub.drain(0);
    return { commitSha, ref: agent.envelopes[1]?.refs.find(({ refType }) => refType === RefType.ARTIFACT) };
  }

  it("[DIS-11] is read from the commit of that stage before the next one gets it", async () => {
    const { ref, commitSha } = await handedOver(sha256("made"));
    expect(ref).toMatchObject({ digest: sha256("made"), versionOrSha: commitSha, degraded: false });
    expect(ref?.fetchedAt).toBeDefined();
  });

  it("[DIS-11] is marked when it is not what that stage said it made", async () => {
    const { ref } = await handedOver(sha256("claimed"));
    expect(ref).toMatchObject({
      ...{ digest: sha256("claimed"), degraded: true },
      degradedReason: `its content has changed: its digest is ${sha256("made")}`,
    });
  });
});

describe("in a workspace of the hub", () => {
  it("[DIS-11] files are read as the agent finds them, and artifacts from what the hub kept of the stage before", async () => {
    const home = folder();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: home });
    git("init", "-q");
    writeFileSync(join(home, "spec.md"), "committed");
    git("add", ".");
    git("commit", "-qm", "begin");
    writeFileSync(join(home, "spec.md"), "being written");
    const hub = await testHub({
      references: referenceReader({ folders: [home] }),
      workspaces: gitWorkspaces({ folder: join(folder(), "workspaces") }),
      verifier: commandVerifier({ workspaces: [home] }),
    });
    const artifacts = [{ path: "made.txt", action: ArtifactAction.CREATED, digest: sha256("made") }];
    const agent = await attached(hub, {
      packId: "dev",
      answer: ({ workspace, execution }) => {
        if (!execution?.dispatchId.includes("/make/")) return {};
        writeFileSync(join(workspace?.path ?? "", "made.txt"), "made");
        return { artifacts };
      },
    });
    const handoffPolicy = { freshness: minute };
    const contextPropagation = { mode: ContextPropagationMode.PREVIOUS, carryArtifacts: true };
    const plan = planOf(stages({ make: { handoffPolicy }, use: { handoffPolicy, contextPropagation } }));
    const refs = [{ uriOrLocator: "spec.md", refType: RefType.FILE }];
    const id = await submit(hub, { plan, refs, workspace: { repository: home } });
    await reaches(hub, id, ...ended);
    expect(agent.envelopes.map(({ refs }) => refs.map(({ digest, degraded }) => [digest, degraded]))).toEqual(
      [
        [[sha256("committed"), false]],
        [
          [sha256("committed"), false],
          [sha256("made"), false],
        ],
      ],
    );
    expect(agent.envelopes[1]?.refs[1]?.versionOrSha).toMatch(/^[0-9a-f]{40}$/);
    await hub.drain(0);
  });
});
