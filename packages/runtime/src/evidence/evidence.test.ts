import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AuditEntry,
  AuditEventType,
  type EventRecord,
  EvidenceType,
  GateCheckStatus,
  ListAgentsRequestSchema,
  ListAuditEntriesRequestSchema,
  PipelineStatus,
  ReviewStageRequestSchema,
  RiskTier,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  reaches,
  refusalOf,
  submit,
  TestAgent,
  type TestAgentOptions,
  testHub,
} from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";
import type { HubParts } from "../compose/create-hub.ts";
import type { Caller } from "../ports/caller.ts";
import { openSqliteStore } from "../stores/index.ts";
import { commandVerifier } from "./command-verifier.ts";

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "baton-evidence-")));
  // The store of a drained hub may still write its log.
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 10 }));
  return path;
}

/** A repository whose test is this script. */
function repository(script: string): string {
  const directory = folder();
  writeFileSync(join(directory, "check.sh"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(directory, "check.sh"), 0o755);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: directory });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "begin");
  return directory;
}

async function hubWith(parts: Partial<HubParts> = {}) {
  const hub = await testHub({ verifier: commandVerifier(), ...parts });
  onTestFinished(() => hub.drain(0));
  return hub;
}

function agent(hub: Hub, options: TestAgentOptions): TestAgent {
  return new TestAgent(hub, { tools: ["./check.sh"], ...options });
}

const claims = (passed: boolean, output: string) => () => {
  const items = [{ type: EvidenceType.TEST, command: "./check.sh", output, passed }];
  const evidencePayload = { case: "items" as const, value: { items } };
  return { evidence: { evidencePayload } };
};

function taskIn(directory: string, more: Parameters<typeof submit>[1] = {}) {
  return {
    workspace: { repository: directory, path: directory },
    contract: {
      taskId: "task-1",
      title: "Do it",
      acceptanceCriteria: ["it is done"],
      environment: { testCommand: "./check.sh" },
    },
    ...more,
  };
}

async function auditOf(hub: Hub, type: AuditEventType): Promise<readonly AuditEntry[]> {
  const request = create(ListAuditEntriesRequestSchema, { pageSize: 1_000 });
  const { entries } = await hub.listAuditEntries(ada, request);
  return entries.filter(({ eventType }) => eventType === type);
}

function testsOf(entry: AuditEntry | undefined) {
  const payload = entry?.snapshot?.snapshotPayload;
  return payload?.case === "gate"
    ? payload.value.checks.find(({ gateName }) => gateName === "tests")
    : undefined;
}

async function eventsOf(hub: Hub, pipelineId: string): Promise<readonly EventRecord[]> {
  const enough = new AbortController();
  const request = create(WatchEventsRequestSchema, {
    afterSequence: 0n,
    filter: `pipeline_id = "${pipelineId}" AND type = "SANDBOX_PULSE"`,
  });
  const found: EventRecord[] = [];
  for await (const { message } of hub.watchEvents(ada, request, enough.signal)) {
    if (message.case === "record") found.push(message.value);
    if (message.case === "caughtUp") enough.abort();
  }
  return found;
}

function pulseOf({ event }: EventRecord) {
  return event?.payload.case === "sandboxPulse" ? event.payload.value : undefined;
}

async function agentOf(hub: Hub, packId: string) {
  const { agents } = await hub.listAgents(ada, create(ListAgentsRequestSchema, {}));
  return agents.find(({ heartbeat }) => heartbeat?.packId === packId);
}

const settledStatuses = [PipelineStatus.COMPLETED, PipelineStatus.FAILED, PipelineStatus.PAUSED] as const;

describe("an agent that lies", () => {
  it("[PIP-07] is caught: the gate fails with both outputs, and the record has them", async () => {
    const directory = repository("echo '1 failed'; exit 3");
    const hub = await hubWith();
    agent(hub, { packId: "dev", answer: claims(true, "12 passed") });
    const pipelineId = await submit(hub, taskIn(directory));
    await reaches(hub, pipelineId, ...settledStatuses);
    const [failed] = await auditOf(hub, AuditEventType.GATE_FAILED);
    const tests = testsOf(failed);
    expect(tests).toMatchObject({
      status: GateCheckStatus.FAILED,
      disproved: true,
      claim: { command: "./check.sh", output: "12 passed", passed: true },
      run: { command: "./check.sh", output: "1 failed\n", exitCode: 3, passed: false },
    });
    expect(tests?.run?.sandbox).toMatch(/bubblewrap|namespaces|plain/);
    expect(tests?.run?.duration).toBeDefined();
    expect(tests?.evidence).toContain("the agent claimed that it passed: 12 passed");
    expect((await agentOf(hub, "dev"))?.disprovedClaims).toBeGreaterThan(0);
  });

  it("[PIP-07] is quarantined after three results in a row, also after a restart", async () => {
    const directory = repository("exit 1");
    const data = folder();
    const store = await openSqliteStore({ directory: data });
    const first = await hubWith({ store });
    const liar = agent(first, { packId: "dev", answer: claims(true, "fine") });
    for (const idempotencyKey of ["one", "two", "three"]) {
      const pipelineId = await submit(first, taskIn(directory, { idempotencyKey }));
      await Promise.race([
        reaches(first, pipelineId, ...settledStatuses),
        waitFor(async () => Boolean((await agentOf(first, "dev"))?.quarantineReason)),
      ]);
    }
    // The fleet learns of a result after the run.
    await waitFor(async () => Boolean((await agentOf(first, "dev"))?.quarantineReason));
    expect(await agentOf(first, "dev")).toMatchObject({
      disprovedClaims: 3,
      consecutiveDisprovedClaims: 3,
      packDisprovedClaims: 3,
      quarantineReason: "it claimed what the hub saw to be otherwise: tests",
    });
    const [entry] = await auditOf(first, AuditEventType.AGENT_QUARANTINED);
    expect(entry?.rationale).toBe("3 results in a row whose claims did not hold");
    liar.vanish();
    await first.drain(0);
    await store.close();
    const second = await hubWith({ store: await openSqliteStore({ directory: data }) });
    expect(await agentOf(second, "dev")).toMatchObject({ disprovedClaims: 3, packDisprovedClaims: 3 });
  });

  it("[PIP-07] is not an agent that reports a failure that the hub cannot reproduce: it is reported, and not counted", async () => {
    const directory = repository("echo fine");
    const hub = await hubWith();
    agent(hub, { packId: "dev", answer: claims(false, "it fails here") });
    await reaches(hub, await submit(hub, taskIn(directory)), PipelineStatus.COMPLETED);
    const [passed] = await auditOf(hub, AuditEventType.GATE_PASSED);
    expect(testsOf(passed)).toMatchObject({
      status: GateCheckStatus.PASSED,
      disproved: false,
      claim: { passed: false, output: "it fails here" },
      run: { passed: true, output: "fine\n" },
    });
    expect((await agentOf(hub, "dev"))?.disprovedClaims).toBe(0);
  });
});

describe("output of a command", () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;

  it("[TUR-06] is published line by line while it runs, masked, with pipeline, stage, attempt and check", async () => {
    const halves = [secret.slice(0, 20), secret.slice(20)];
    const script = `echo begin; printf 'token ${halves[0]}'; sleep 0.3; printf '${halves[1]} end\\n'; echo last >&2`;
    const hub = await hubWith();
    agent(hub, { packId: "dev" });
    const pipelineId = await submit(hub, taskIn(repository(script)));
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const events = await eventsOf(hub, pipelineId);
    const lines = events.map((event) => pulseOf(event));
    expect(lines.map((pulse) => pulse?.line)).toEqual([
      "begin",
      expect.stringMatching(/^token .* end$/),
      "last",
    ]);
    expect(lines.map((pulse) => pulse?.masked)).toEqual([false, true, false]);
    expect(lines.every((pulse) => pulse?.check === "tests")).toBe(true);
    for (const half of halves) expect(JSON.stringify(lines.map((pulse) => pulse?.line))).not.toContain(half);
    const [event] = events;
    expect(event).toMatchObject({ pipelineId, stageId: "code", dispatchId: `${pipelineId}/code/1` });
    const [passed] = await auditOf(hub, AuditEventType.GATE_PASSED);
    expect(testsOf(passed)?.run?.output).not.toContain(halves[1]);
  });

  it("[TUR-06] is bounded: of a flood some lines are published, and the others are counted", async () => {
    const hub = await hubWith({
      verifier: commandVerifier({ pulses: { lines: 50, linesPerBatch: 20, intervalMs: 5 } }),
    });
    agent(hub, { packId: "dev" });
    const pipelineId = await submit(hub, taskIn(repository("seq 1 20000")));
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const pulses = (await eventsOf(hub, pipelineId)).map(pulseOf);
    expect(pulses.length).toBeLessThanOrEqual(51);
    const published = pulses.filter((pulse) => pulse?.line !== "").length;
    const leftOut = pulses.reduce((sum, pulse) => sum + (pulse?.leftOut ?? 0), 0);
    expect(published + leftOut).toBe(20_000);
  });
});

describe("a critical stage", () => {
  const key = (keyId: string, kind: Caller["kind"] = "human"): Caller => ({ ...ada, id: keyId, kind, keyId });

  async function waiting(hub: Hub) {
    const directory = repository("echo fine");
    agent(hub, {
      packId: "dev",
      instanceId: "dev-1",
      keyId: "dev-key",
      answer: claims(true, "fine"),
    });
    const task = taskIn(directory, { riskTier: RiskTier.CRITICAL });
    const pipelineId = await submit(hub, task, key("grace"));
    const isAsked = async () => {
      const asked = await auditOf(hub, AuditEventType.ESCALATION);
      return asked.some(({ rationale }) => rationale.includes("waits for a review by a person"));
    };
    await waitFor(isAsked);
    const approve = (caller: Caller, more = {}) =>
      hub.reviewStage(
        caller,
        create(ReviewStageRequestSchema, {
          ...{ pipelineId, stageId: "code", dispatchId: `${pipelineId}/code/1`, reason: "I looked at it" },
          verdict: { case: "approval", value: {} },
          ...more,
        }),
      );
    return { pipelineId, approve };
  }

  it("[PIP-06] waits for a person who is not the author: not the agent's key, the submitter's or an agent", async () => {
    const hub = await hubWith();
    const { pipelineId, approve } = await waiting(hub);
    const refusals = [
      await refusalOf(approve(key("dev-key"))),
      await refusalOf(approve(key("grace"))),
      await refusalOf(approve(key("qa-key", "agent"))),
    ];
    expect(refusals.map(({ code, kind }) => [code, kind])).toEqual(
      refusals.map(() => ["BATON-PIPELINE-004", "denied"]),
    );
    expect(refusals.map(({ message }) => message)).toEqual([
      'an agent that worked on this run came in with your key "dev-key"',
      'your key "grace" submitted this task, and its risk is critical',
      "this review is a person's",
    ]);
    await approve(key("linus"));
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const [passed] = await auditOf(hub, AuditEventType.GATE_PASSED);
    expect(passed).toMatchObject({ actor: { id: "linus" }, rationale: "I looked at it" });
    expect(passed?.timestamp).toBeDefined();
    const payload = passed?.snapshot?.snapshotPayload;
    expect(payload?.case === "gate" && payload.value.reviewer?.id).toBe("linus");
  });

  it("[PIP-06] is never approved by an agent, also when it names itself", async () => {
    const hub = await hubWith();
    const { approve } = await waiting(hub);
    new TestAgent(hub, { packId: "qa", instanceId: "qa-1", keyId: "qa-key" });
    await waitFor(async () => (await agentOf(hub, "qa")) !== undefined);
    const named = { reviewerPackId: "qa", reviewerInstanceId: "qa-1" };
    expect((await refusalOf(approve(key("qa-key", "agent"), named))).message).toBe(
      "this review is a person's",
    );
  });
});

describe("an agent that reviews", () => {
  it("[PIP-06] uses the API with the key of its connection, and belongs to another pack", async () => {
    const hub = await hubWith({ review: { normal: "agent" } });
    agent(hub, {
      packId: "dev",
      instanceId: "dev-1",
      keyId: "dev-key",
      answer: claims(true, "fine"),
    });
    new TestAgent(hub, { packId: "qa", instanceId: "qa-1", keyId: "qa-key" });
    await waitFor(async () => (await agentOf(hub, "qa")) !== undefined);
    const pipelineId = await submit(hub, taskIn(repository("echo fine"), { riskTier: RiskTier.NORMAL }));
    const dispatchId = `${pipelineId}/code/1`;
    const review = (keyId: string, reviewerPackId: string, reviewerInstanceId: string) =>
      hub.reviewStage(
        { ...ada, id: keyId, kind: "agent", keyId },
        create(ReviewStageRequestSchema, {
          ...{
            pipelineId,
            stageId: "code",
            dispatchId,
            reason: "it is good",
            reviewerPackId,
            reviewerInstanceId,
          },
          verdict: { case: "approval", value: {} },
        }),
      );
    await waitFor(
      async () => (await refusalOf(review("dev-key", "dev", "dev-1"))).code === "BATON-PIPELINE-004",
    );
    expect((await refusalOf(review("dev-key", "qa", "qa-1"))).message).toBe(
      'no agent "qa/qa-1" is connected with this key',
    );
    expect((await refusalOf(review("qa-key", "", ""))).message).toContain("does not name its pack");
    await review("qa-key", "qa", "qa-1");
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  });
});

/** What is on its way is waited for; how long is the test runner's business. */
async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
