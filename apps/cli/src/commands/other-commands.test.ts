import {
  AgentAttemptOutcome,
  AgentWorkSchema,
  AuditEventType,
  EscalationKind,
  GateCheckStatus,
  GetAttemptResponseSchema,
  RiskTier,
  StageConfigSchema,
  StageStatus,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { startHub } from "../../testing/hub-double.ts";
import { leaveTasks, scratchFolder, startRealHub } from "../../testing/real-hub.ts";
import { runBaton } from "../../testing/run-baton.ts";
import { anAgent, aPipeline, aQuestion, entry, pipelineId } from "../../testing/sample.ts";

describe("baton agent", () => {
  const agents = [anAgent("i-1000"), anAgent("i-2000", "three invalid results in a row")];

  it("lists who is there, how they are, and who is shut out", async () => {
    await using hub = await startHub({ registry: { listAgents: () => ({ agents }) } });
    const { stdout } = await runBaton(["agent", "list"], { hub: hub.url });
    expect(stdout).toMatch(
      /qa-engineer\/i-1000 +1\.2\.0 +healthy +1\/4 +1\.5s +attached +review, write-tests\n/,
    );
    expect(stdout).toMatch(/qa-engineer\/i-2000 .*quarantined.*three invalid results in a row/);
  });

  it("[DIS-03] says of who is gone since when, and nothing that was true before", async () => {
    const gone = anAgent("i-3000");
    gone.attached = false;
    gone.goneSince = timestampFromMs(Date.now() - 190_000);
    gone.leaseExpiresAt = timestampFromMs(Date.now() + 25_000);
    await using hub = await startHub({ registry: { listAgents: () => ({ agents: [gone] }) } });
    const { stdout } = await runBaton(["agent", "list"], { hub: hub.url });
    expect(stdout).toMatch(/qa-engineer\/i-3000 +1\.2\.0 +gone +gone 3m 1\ds ago/);
    expect(stdout).not.toMatch(/healthy|listens|attached|expired/);
  });

  /** Three attempts, all of which failed. */
  function aFailingAgent() {
    const agent = anAgent("i-4000");
    const attempt = (number: number) => ({
      ...{ pipelineId: "p-3s43k65n", stageId: "implement", dispatchId: `p-3s43k65n/implement/${number}` },
      ...{ taskType: "review", outcome: AgentAttemptOutcome.FAILED, error: "no such model: x-9" },
      startedAt: timestampFromMs(Date.now() - 130_000 + number * 1_000),
      endedAt: timestampFromMs(Date.now() - 120_000 + number * 1_000),
    });
    const work = { failed: 3, consecutiveFailures: 3, failing: true, busyShare: 0.25 };
    agent.work = create(AgentWorkSchema, {
      ...{ ...work, busyWindow: durationFromMs(720_000), lastFailure: attempt(3) },
      recentAttempts: [3, 2, 1].map(attempt),
    });
    return agent;
  }

  it("does not call an agent healthy that failed three of three, and says with what", async () => {
    const asked: number[] = [];
    await using hub = await startHub({
      registry: {
        listAgents: ({ recentAttempts }) => {
          asked.push(recentAttempts);
          return { agents: [aFailingAgent()] };
        },
      },
    });
    const list = (...args: string[]) =>
      runBaton(["agent", "list", ...args], { hub: hub.url, env: { COLUMNS: "180" } });
    const { stdout } = await list();
    expect(stdout).toMatch(
      /qa-engineer\/i-4000 +1\.2\.0 +failing +1\/4 +0\/3 .*3 of 3 failed: no such model: x-9\n/,
    );
    expect(stdout).not.toContain("healthy");
    expect(JSON.parse((await list("--output", "jsonl")).stdout).work.recentAttempts).toHaveLength(3);
    expect(asked).toEqual([0, 20]);
  });

  it("shows one agent with its success, its last error and its run, its attempts, and how busy it was", async () => {
    const agents = [aFailingAgent(), anAgent("i-5000")];
    const filters: string[] = [];
    await using hub = await startHub({
      registry: {
        listAgents: ({ filter }) => {
          filters.push(filter);
          return {
            agents: agents.filter(
              ({ heartbeat }) => filter.includes(heartbeat?.instanceId ?? "") || filter === "",
            ),
          };
        },
      },
    });
    const show = (id: string, ...args: string[]) =>
      runBaton(["agent", "show", id, ...args], { hub: hub.url });
    const { stdout, code } = await show("i-40");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^qa-engineer\/i-4000\n {2}health +failing: 3 of 3 failed\n/);
    expect(stdout).toMatch(/\n {2}reports +healthy\n/);
    expect(stdout).toMatch(/\n {2}success +0 of the last 3 attempts\n/);
    expect(stdout).toMatch(/\n {2}last error +no such model: x-9\n/);
    expect(stdout).toMatch(/\n {2}in run +p-3s43k65n, stage implement, \d{4}-\d\d-\d\dT[\d:]+Z\n/);
    expect(stdout).toMatch(/\n {2}busy +25% of the last 12m 00s\n/);
    expect(stdout.match(/p-3s43k65n +implement +failed +10s +no such model: x-9/g)).toHaveLength(3);
    expect(filters).toEqual(["", 'pack_id = "qa-engineer" AND instance_id = "i-4000"']);
    const { work } = JSON.parse((await show("i-40", "--output", "json")).stdout);
    expect(work).toMatchObject({ failed: 3, failing: true, busyShare: 0.25 });
    const fresh = await show("i-5000");
    expect(fresh.stdout).toMatch(/^qa-engineer\/i-5000\n {2}health +healthy\n/);
    expect(fresh.stdout).toContain("no attempt has ended since the hub started\n");
    expect(await show("nobody")).toMatchObject({ code: 3 });
  });

  it("shows one agent within forty columns, without colours", async () => {
    await using hub = await startHub({ registry: { listAgents: () => ({ agents: [aFailingAgent()] }) } });
    const env = { COLUMNS: "40", NO_COLOR: "1" };
    for (const args of [["show", "i-4000"], ["list"]]) {
      const { stdout } = await runBaton(["agent", ...args], { hub: hub.url, env });
      expect(stdout).toContain("failing");
      expect(stdout.replaceAll(/\s+/g, " ")).toContain("no such model: x-9");
      expect(stdout).not.toContain("\u001b");
      for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(40);
    }
  });

  it("[DIS-14] lets an instance in again, by the beginning of its id, with the reason", async () => {
    const asked: unknown[] = [];
    await using hub = await startHub({
      registry: {
        listAgents: () => ({ agents }),
        restoreAgent: ({ packId, instanceId, reason }) => {
          asked.push({ packId, instanceId, reason });
          return { agent: anAgent(instanceId) };
        },
      },
    });
    const restore = (name: string) =>
      runBaton(["agent", "restore", name, "--reason", "fixed"], { hub: hub.url });
    const [one, several, none] = await Promise.all([
      restore("i-20"),
      restore("qa-engineer"),
      restore("nobody"),
    ]);
    expect(one).toMatchObject({ code: 0, stderr: "qa-engineer/i-2000 is restored\n" });
    expect(asked).toEqual([{ packId: "qa-engineer", instanceId: "i-2000", reason: "fixed" }]);
    expect([several.code, none.code]).toEqual([2, 3]);
  });
});

describe("[DIS-09] baton why", () => {
  const explanation =
    '"review" went to i-1 of pack "qa-engineer"\n  1. i-1 (qa-engineer): healthy \u001b[31m\n';
  const answers = {
    orchestrator: {
      explainDispatch: ({ dispatchId }: { dispatchId: string }) => {
        if (dispatchId === "d-2") return { explanation };
        throw new ConnectError("unknown", Code.NotFound);
      },
      getPipeline: () => ({ pipeline: aPipeline() }),
    },
  };

  it("explains a dispatch, by its id or by run and stage", async () => {
    await using hub = await startHub(answers);
    const [byId, byStage] = await Promise.all([
      runBaton(["why", "d-2"], { hub: hub.url }),
      runBaton(["why", `${pipelineId}/review`], { hub: hub.url }),
    ]);
    expect(byId.stdout).toBe(
      '"review" went to i-1 of pack "qa-engineer"\n  1. i-1 (qa-engineer): healthy \\x1b[31m\n',
    );
    expect(byStage.stdout).toBe(byId.stdout);
  });

  it("names the stages that a stage waits for", async () => {
    await using hub = await startHub({
      orchestrator: { ...answers.orchestrator, listEscalations: () => ({}) },
    });
    const { code, stdout } = await runBaton(["why", `${pipelineId}/release`], { hub: hub.url });
    expect([code, stdout]).toEqual([0, '"release" went nowhere: it waits for review\n']);
  });

  it("names the candidates of a stage that no agent can take, and what would help", async () => {
    const waiting = aPipeline();
    Object.assign(waiting.stages[1] ?? {}, {
      ...{ status: StageStatus.READY, dispatchId: "", waitingFor: 'an agent: no agent can take "review"' },
    });
    const dispatch = {
      routingPolicyVersion: "1.0.0",
      candidates: [{ packId: "qa-engineer", reason: "it lacks cargo" }],
    };
    const decision = entry(1, {
      eventType: AuditEventType.DISPATCH_DECISION,
      snapshot: { snapshotPayload: { case: "dispatch", value: dispatch } },
    });
    const snapshot = { recommended: "provide cargo" };
    const orchestrator = {
      ...answers.orchestrator,
      getPipeline: () => ({ pipeline: waiting }),
      listEscalations: () => ({ escalations: [aQuestion({ snapshot })] }),
    };
    await using hub = await startHub({
      orchestrator,
      audit: { listAuditEntries: () => ({ entries: [decision] }) },
    });
    await using withoutRecord = await startHub({ orchestrator });
    const why = ["why", `${pipelineId}/review`];
    const [text, json, less] = await Promise.all([
      runBaton(why, { hub: hub.url }),
      runBaton([...why, "--output", "json"], { hub: hub.url }),
      runBaton(why, { hub: withoutRecord.url }),
    ]);
    const heading = '"review" went nowhere: no agent can take "review"\n';
    const advice = "  what would help: provide cargo\n";
    expect(text.stdout).toBe(
      `${heading}  routing policy 1.0.0\n  - pack "qa-engineer": it lacks cargo\n${advice}`,
    );
    expect(JSON.parse(json.stdout)).toMatchObject({ snapshot: dispatch });
    expect(less.stdout).toBe(heading + advice);
  });

  it("says what it wants to be asked, and how to find it", async () => {
    const notFound = () => {
      throw new ConnectError("unknown", Code.NotFound);
    };
    await using hub = await startHub(answers);
    await using empty = await startHub({
      orchestrator: { explainDispatch: notFound, getPipeline: notFound, listPipelines: () => ({}) },
    });
    const [nothing, stage, several] = await Promise.all([
      runBaton(["why", "nope"], { hub: empty.url }),
      runBaton(["why", `${pipelineId}/nope`], { hub: hub.url }),
      runBaton(["why", pipelineId], { hub: hub.url }),
    ]);
    expect([nothing.code, stage.code, several.code]).toEqual([3, 3, 3]);
    expect(nothing.stderr).toBe(
      'BATON-CLI-004  "nope" names neither a stage nor a dispatch\n' +
        "  fix: give RUN/STAGE; baton runs list shows the runs, baton runs show ID its stages\n",
    );
    const names = ["implement", "review", "release"].map((name) => `${pipelineId}/${name}`).join(", ");
    expect(stage.stderr).toContain(`${pipelineId} has no stage "nope"\n  fix: ask about one of: ${names}\n`);
    expect(several.stderr).toContain(`${pipelineId} has 3 stages\n  fix: ask about one of: ${names}\n`);
  });
});

describe("baton inbox", () => {
  it("lists what waits for a person, with what they need to answer", async () => {
    const filters: string[] = [];
    await using hub = await startHub({
      orchestrator: {
        listEscalations: ({ filter }) => {
          filters.push(filter);
          return { escalations: [aQuestion()] };
        },
      },
    });
    const { stdout } = await runBaton(["inbox", "--risk", "critical"], { hub: hub.url });
    expect(stdout).toMatch(new RegExp(`^! ${pipelineId}/e1\n`));
    expect(stdout).toContain("\n  about     review\n  problem   The patch touches");
    expect(stdout).toContain("options   approve, reject");
    expect(filters).toEqual(["resolved = false AND risk_tier = RISK_TIER_CRITICAL"]);
  });

  it("[PIP-06] shows what can do most damage first, however many wait and however late it came, and says that there are more", async () => {
    const many = Array.from({ length: 1_200 }, (_, place) =>
      aQuestion({
        escalationId: `q${place}`,
        riskTier: place === 1_199 ? RiskTier.CRITICAL : place === 0 ? RiskTier.NORMAL : RiskTier.LOW,
      }),
    );
    const asked: string[] = [];
    await using hub = await startHub({
      orchestrator: {
        listEscalations: ({ filter, pageSize, pageToken }) => {
          asked.push(filter);
          const [, risk] = /RISK_TIER_(\w+)/.exec(filter) ?? [];
          const fitting = many.filter(({ riskTier }) => risk === undefined || RiskTier[riskTier] === risk);
          const end = Number(pageToken) + pageSize;
          return {
            escalations: fitting.slice(Number(pageToken), end),
            nextPageToken: end < fitting.length ? String(end) : "",
          };
        },
      },
    });
    const ids = (stdout: string) =>
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).escalationId);
    const few = await runBaton(["inbox", "-ojsonl", "--limit", "3"], { hub: hub.url });
    expect(ids(few.stdout)).toEqual(["q1199", "q0", "q1"]);
    expect(few.stderr).toBe("there are more rows: use --limit 6\n");
    const all = await runBaton(["inbox", "-ojsonl", "--limit", "1200"], { hub: hub.url });
    expect(ids(all.stdout)).toHaveLength(1_200);
    expect(all.stderr).toBe("");
    expect(asked.every((filter) => filter.startsWith("resolved = false"))).toBe(true);
  });

  it("says that no more are shown when there is no larger --limit", async () => {
    const escalations = Array.from({ length: 100 }, (_, place) => aQuestion({ escalationId: `q${place}` }));
    await using hub = await startHub({
      orchestrator: { listEscalations: () => ({ escalations, nextPageToken: "more" }) },
    });
    const { stderr } = await runBaton(["inbox", "-ojsonl", "--limit", "10000"], { hub: hub.url });
    expect(stderr).toBe("there are more rows; 10000 is the maximum\n");
  });

  it("[PIP-06] [SAC-07] shows one with the evidence, the rule that asks and what each answer leads to", async () => {
    const { PASSED, FAILED } = GateCheckStatus;
    const pipeline = aPipeline();
    const [, review, release] = pipeline.stages;
    if (review) review.config = create(StageConfigSchema, { dependsOnStages: ["implement"] });
    if (release) release.config = create(StageConfigSchema, { dependsOnStages: ["review"] });
    const attempt = create(GetAttemptResponseSchema, {
      summary: { packId: "qa-engineer" },
      result: {
        status: { summary: "all reviewed" },
        artifacts: [{ path: "src/login.ts" }],
        contextOut: { risksIdentified: ["no expiry"] },
      },
      gate: {
        checks: [
          { gateName: "scope", status: PASSED, evidence: "1 file" },
          {
            ...{ gateName: "tests", status: FAILED, disproved: true },
            claim: { command: "npm test", output: "all pass", passed: true },
            run: { command: "npm test", exitCode: 1, output: "2 failed", passed: false },
          },
        ],
      },
    });
    await using hub = await startHub({
      orchestrator: {
        listEscalations: () => ({
          escalations: [aQuestion(), aQuestion({ escalationId: "p-other/e1", pipelineId: "p-other" })],
        }),
        getPipeline: () => ({ pipeline }),
      },
      inspection: { getAttempt: () => attempt },
    });
    const { stdout } = await runBaton(["inbox", pipelineId], { hub: hub.url });
    expect(stdout).toContain("  the rule  The review gate: ");
    expect(stdout).toContain("    says     qa-engineer: all reviewed\n");
    expect(stdout).toContain("    checked  ✓ scope: 1 file\n");
    expect(stdout).toContain('    caught   ✗ tests: the agent claimed "all pass"\n');
    expect(stdout).toContain('the hub ran it: "npm test" ended with 1: 2 failed\n');
    expect(stdout).toContain("    touched  src/login.ts\n    risk     no expiry\n");
    expect(stdout).toContain(
      `    baton approve ${pipelineId}/e1 --reason "..."\n        The work of review is accepted, and release can start.\n`,
    );
    expect(stdout).toContain(
      `    baton reject ${pipelineId}/e1 --to implement --reason "..." --instruct "..."\n        implement is tried again, with what failed and your instructions. review and release start over.\n`,
    );
    const list = await runBaton(["inbox"], { hub: hub.url });
    expect(list.stderr).toBe(`evidence and effects of the answers: baton inbox ${pipelineId}/e1\n`);
  });

  it("has what can do most damage first, and a risk that nobody stated counts as normal", async () => {
    const { address: hub } = await startRealHub(scratchFolder());
    const [unstated = ""] = await leaveTasks(hub, 1);
    const [low = ""] = await leaveTasks(hub, 1, ["--risk", "low"]);
    const [critical = ""] = await leaveTasks(hub, 1, ["--risk", "critical"]);
    const [normal = ""] = await leaveTasks(hub, 1, ["--risk", "normal"]);
    const idsOf = async (...more: string[]) => {
      const { stdout } = await runBaton(["inbox", "--output", "jsonl", ...more], { hub });
      return stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).pipelineId);
    };
    expect(await idsOf()).toEqual([critical, unstated, normal, low]);
    expect(await idsOf("--risk", "normal")).toEqual([unstated, normal]);
    expect(await idsOf("--risk", "low")).toEqual([low]);
  });

  const asked = (kind: EscalationKind, ...options: string[]) => aQuestion({ kind, snapshot: { options } });

  it.each([
    ["a failure", asked(EscalationKind.FAILURE, "resume", "abort"), "baton runs resume"],
    ["what can only be given up", asked(EscalationKind.BUDGET, "abort"), "baton runs abort"],
    [
      "what can be tried again",
      asked(EscalationKind.ROUTING, "retry", "abort"),
      `baton answer ${pipelineId}/e1 retry`,
    ],
    [
      "a question of an agent",
      asked(EscalationKind.CLARIFICATION, "answer", "abort"),
      `baton answer ${pipelineId}/e1 "..."`,
    ],
    [
      "a review",
      asked(EscalationKind.REVIEW, "approve", "reject", "fail"),
      `baton reject ${pipelineId}/e1 --unfixable --reason "..."`,
    ],
    [
      "a failure, to end it",
      asked(EscalationKind.FAILURE, "resume", "abort"),
      `baton runs abort ${pipelineId} --reason "..."`,
    ],
    [
      "a review, to accept it",
      asked(EscalationKind.REVIEW, "approve", "reject"),
      `baton approve ${pipelineId}/e1 --reason "..."`,
    ],
  ])("shows what to type to answer %s", async (_, question, words) => {
    await using hub = await startHub({
      orchestrator: { listEscalations: () => ({ escalations: [question] }) },
    });
    const { stdout } = await runBaton(["inbox"], { hub: hub.url });
    expect(stdout.split("  To go on\n")[1]).toContain(words);
  });

  it("says so on standard error when nothing waits", async () => {
    await using hub = await startHub({ orchestrator: { listEscalations: () => ({}) } });
    expect(await runBaton(["inbox"], { hub: hub.url })).toMatchObject({
      stdout: "",
      stderr: "no open questions\n",
      code: 0,
    });
  });
});
