import {
  type AbortPipelineRequest,
  ActorType,
  AttemptPart,
  AuditEventType,
  ErrorDetailSchema,
  GateCheckStatus,
  ListPipelinesResponseSchema,
  PipelineStatus,
  StageStatus,
  StepState,
  UsageSchema,
} from "@baton/contract";
import { create, fromJsonString } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Answers, startHub } from "../../../testing/hub-double.ts";
import { scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { aPipeline, aQuestion, ended, entry, gate, otherId, pipelineId } from "../../../testing/sample.ts";
import { connectHub } from "../../hub/connect-hub.ts";
import { limits } from "../../limits.ts";

const notFound = () =>
  new ConnectError("gone", Code.NotFound, undefined, [
    {
      desc: ErrorDetailSchema,
      value: { code: "BATON-HUB-001", message: "there is no such run", fix: "list the commands" },
    },
  ]);

/** Two pipelines whose ids begin alike. */
const two: Answers = {
  orchestrator: {
    getPipeline: ({ pipelineId: id }) => {
      if (id === pipelineId) return { pipeline: aPipeline({ waitsForPerson: true }) };
      throw notFound();
    },
    listPipelines: ({ filter }) => ({
      pipelines: [
        aPipeline({ waitsForPerson: true }),
        { ...ended(), pipelineId: otherId, pipelineName: "Größe \u001b[31m→ ログ" },
      ].filter(
        (pipeline) =>
          !filter.startsWith("pipeline_id") || `pipeline_id >= "${pipeline.pipelineId}"` >= filter,
      ),
    }),
    listEscalations: () => ({ escalations: [aQuestion()] }),
  },
};

describe("baton runs list", () => {
  it("gives a table in a pipe, without colours, with harmless names", async () => {
    await using hub = await startHub(two);
    const { stdout, stderr, code } = await runBaton(["runs", "list"], { hub: hub.url });
    expect(stdout.split("\n")).toEqual([
      "RUN                                   STATUS       STAGES  CREATED               TEMPLATE              NAME                  WAITS FOR",
      `${pipelineId}  ! waiting       1/3  2027-01-31T12:00:00Z  implement-and-review  Add a login page      a person: The patch touches authentication`,
      `${otherId}  ✓ completed     3/3  2027-01-31T12:00:00Z  implement-and-review  Größe \\x1b[31m→ ログ`,
      "",
    ]);
    expect([stderr, code]).toEqual(["", 0]);
  });

  it("folds to cards in a narrow place, and draws with ASCII where the locale is not UTF-8", async () => {
    await using hub = await startHub(two);
    const env = { COLUMNS: "50", LANG: "C" };
    const { stdout } = await runBaton(["runs", "list"], { hub: hub.url, env });
    expect(stdout).toContain(`${pipelineId}\n  status     ! waiting\n  stages     1/3\n`);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(50);
  });

  it.each([
    [
      "an agent that works",
      StageStatus.DISPATCHED,
      "the answer of i-1",
      "● running",
      "review: the answer of i-1",
    ],
    [
      "an agent that is not there",
      StageStatus.READY,
      'no agent can take "x"',
      "● running",
      'review: no agent can take "x"',
    ],
    [
      "a time",
      StageStatus.READY,
      "the next attempt at 2027-01-31T12:00:00.000Z",
      "● running",
      "review: the next attempt at 2027-01-31T12:00:00.000Z",
    ],
  ])("shows what a run waits for: %s", async (_, stageStatus, waitingFor, status, reason) => {
    const pipeline = aPipeline();
    Object.assign(pipeline.stages[1] ?? {}, { status: stageStatus, waitingFor });
    await using hub = await startHub({ orchestrator: { listPipelines: () => ({ pipelines: [pipeline] }) } });
    const { stdout } = await runBaton(["runs", "list"], { hub: hub.url });
    expect(stdout).toContain(`  ${status} `);
    expect(stdout).toContain(`  ${reason}\n`);
  });

  it("[PIP-10] lists why each run waits, however many questions are older than its own", async () => {
    const { address } = await startRealHub(scratchFolder());
    const hub = connectHub(new URL(address), undefined);
    onTestFinished(() => hub.close());
    const submit = (of: number) =>
      hub.orchestrator.submitTask({
        plan: { case: "taskType", value: of > limits.listedQuestions ? "the-last-of-all" : "others" },
        contract: { taskId: `t-${of}`, title: `Task ${of}`, acceptanceCriteria: ["it works"] },
        idempotencyKey: `k-${of}`,
      });
    for (let from = 0; from <= limits.listedQuestions; from += 100)
      await Promise.all(Array.from({ length: 100 }, (_, at) => submit(from + at)));
    const { stdout } = await runBaton(["runs", "list", "--limit", "3"], { hub: address });
    const [, ...rows] = stdout.trimEnd().split("\n");
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toMatch(/! waiting .* a person: no agent .*"the-last-of-all"/);
  });

  it("shows a run that a person paused as paused, and why", async () => {
    const pipelines = [aPipeline({ status: PipelineStatus.PAUSED, statusReason: "the deadline has passed" })];
    await using hub = await startHub({ orchestrator: { listPipelines: () => ({ pipelines }) } });
    const { stdout } = await runBaton(["runs", "list"], { hub: hub.url });
    expect(stdout).toMatch(/! paused .*a person: the deadline has passed\n/);
  });

  it("gives one JSON document, or one object a line, that a program can read back", async () => {
    await using hub = await startHub(two);
    const [json, lines] = await Promise.all([
      runBaton(["runs", "list", "--output", "json"], { hub: hub.url }),
      runBaton(["-o", "jsonl", "runs", "list"], { hub: hub.url }),
    ]);
    const { pipelines } = fromJsonString(ListPipelinesResponseSchema, json.stdout);
    expect(pipelines.map((pipeline) => pipeline.pipelineId)).toEqual([pipelineId, otherId]);
    const ids = lines.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).pipelineId);
    expect(ids).toEqual([pipelineId, otherId]);
  });

  it("reads page after page, asks the hub to filter, and says when there are more", async () => {
    const asked: string[] = [];
    await using hub = await startHub({
      orchestrator: {
        listPipelines: ({ filter, orderBy, pageSize, pageToken }) => {
          asked.push(`${filter} | ${orderBy} | ${pageSize} | ${pageToken}`);
          const pipelines = Array.from({ length: 2 }, (_, at) =>
            aPipeline({ pipelineId: `${pageToken}p${at}` }),
          );
          return { pipelines, nextPageToken: `${pageToken}n` };
        },
      },
    });
    const args = ["runs", "list", "--status", "paused", "--template", 'a"b', "--limit", "3"];
    const { stdout, stderr } = await runBaton(args, { hub: hub.url });
    expect(stdout.match(/^n?p\d/gm)).toEqual(["p0", "p1", "np0"]);
    expect(stderr).toBe("there are more rows: use --limit 6\n");
    const filter = 'status = PIPELINE_STATUS_PAUSED AND waits_for_person = false AND template_id = "a\\"b"';
    expect(asked).toEqual([`${filter} | created_at desc | 3 | `, `${filter} | created_at desc | 1 | n`]);
  });
});

describe("baton runs show", () => {
  it("shows stages, dispatches and what waits for a person", async () => {
    await using hub = await startHub(two);
    const { stdout, code } = await runBaton(["runs", "show", pipelineId], { hub: hub.url });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^! waiting {2}Add a login page/);
    expect(stdout).toMatch(/implement +✓ completed +42s +2 +senior-ts-dev\/i-7 +the page is there/);
    expect(stdout).toMatch(/release +○ pending +waits for review/);
    expect(stdout).toMatch(/review +d-2/);
    expect(stdout).toMatch(/problem +The patch touches authentication/);
  });

  it("[CON-05] reads by itself what the hub left out of a large answer, and says what it could not have", async () => {
    const pipeline = aPipeline();
    const [implement, review, release] = pipeline.stages;
    for (const stage of [implement, release])
      Object.assign(stage ?? {}, {
        ...{ result: undefined, resultLeftOutBytes: 3_500_000, waitingFor: "" },
        ...{ dispatchId: `d-${stage?.stageOrder}`, status: StageStatus.COMPLETED },
      });
    const asked: unknown[] = [];
    await using hub = await startHub({
      orchestrator: { ...two.orchestrator, getPipeline: () => ({ pipeline }) },
      inspection: {
        getAttempt: ({ dispatchId, part }) => {
          asked.push([dispatchId, part]);
          if (dispatchId === "d-3") throw new ConnectError("too large", Code.ResourceExhausted);
          return { result: { status: { summary: "a long story" } } };
        },
      },
    });
    const { stdout, code } = await runBaton(["runs", "show", pipelineId], { hub: hub.url });
    expect(stdout).toMatch(/implement +✓ completed .* a long story\n/);
    expect(stdout).toMatch(/release +✓ completed .* its result is left out: it has 3\.3 MiB\n/);
    expect([code, asked, review?.resultLeftOutBytes]).toEqual([
      0,
      [
        ["d-1", AttemptPart.RESULT],
        ["d-3", AttemptPart.RESULT],
      ],
      0,
    ]);
    const json = await runBaton(["runs", "show", pipelineId, "-o", "json"], { hub: hub.url });
    const status = JSON.parse(json.stdout).pipeline.stages;
    expect(status[0]).toMatchObject({ result: { status: { summary: "a long story" } } });
    expect(status[0]).not.toHaveProperty("resultLeftOutBytes");
    expect(status[2]).toMatchObject({ resultLeftOutBytes: 3_500_000 });
  });

  it("[PIP-07] shows the output lines of a failed check that describe the failure, as why does", async () => {
    const output = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join("\n");
    const run = { command: "npm test", exitCode: 1, passed: false, output: `${output}\nexpected 3, got 4\n` };
    const check = { gateName: "tests", status: GateCheckStatus.FAILED, run };
    const failed = entry(3, {
      ...{ eventType: AuditEventType.GATE_FAILED, attemptNumber: 2 },
      snapshot: { snapshotPayload: { case: "gate", value: { checks: [check] } } },
    });
    await using hub = await startHub({
      orchestrator: { ...two.orchestrator, explainDispatch: () => ({ explanation: "it went there" }) },
      audit: {
        listAuditEntries: ({ filter }) => ({ entries: filter.includes("GATE_FAILED") ? [failed] : [] }),
      },
    });
    for (const args of [
      ["runs", "show", pipelineId],
      ["why", `${pipelineId}/review`],
    ]) {
      const { stdout } = await runBaton(args, { hub: hub.url });
      expect(stdout).toContain(
        '    review, attempt 2\n      tests: "npm test" ended with 1, run by the hub\n        line 1\n        …\n        line 31\n',
      );
      expect(stdout).toContain("        line 40\n        expected 3, got 4\n");
      expect(stdout).not.toContain("line 29\n");
    }
  });

  it("[TUR-08] says that it was rewound, where to, by whom and why", async () => {
    const rewound = { stageId: "", fromStatus: "COMPLETED", toStatus: "RUNNING", by: "ada" };
    const transitions = [
      { ...rewound, revision: 9n, rewoundTo: 4n, reason: "too fast" },
      { ...rewound, stageId: "review", revision: 20n, rewoundTo: 6n, reason: "too slow" },
      { ...rewound, revision: 20n, rewoundTo: 6n, reason: "too slow" },
    ];
    const reason = { orchestrator: { getPipeline: () => ({ pipeline: ended() }) } };
    await using hub = await startHub({
      ...reason,
      inspection: { getTransitions: () => ({ transitions: transitions.slice(0, 1) }) },
    });
    await using again = await startHub({
      ...reason,
      inspection: { getTransitions: () => ({ transitions }) },
    });
    await using never = await startHub(reason);
    const [once, twice, plain] = await Promise.all(
      [hub, again, never].map(({ url }) => runBaton(["runs", "show", pipelineId], { hub: url })),
    );
    expect(once?.stdout).toMatch(/\n {2}rewound +to revision 4,.* by ada: too fast\n/);
    expect(twice?.stdout).toMatch(
      /\n {2}rewound +2 times, the last time to revision 6,.* by ada: too slow\n/,
    );
    expect(plain?.stdout).not.toContain("rewound");
  });

  it("[PIP-11] [SAC-12] shows the durable steps of attempts, with state and cost", async () => {
    const step = (name: string, init: object) => ({
      ...{ name, argumentsDigest: `sha256:${"0".repeat(64)}`, occurrence: 1, ...init },
    });
    const { COMPLETED, STARTED } = StepState;
    const about = { stageId: "implement", attemptNumber: 1 };
    const usage = create(UsageSchema, { inputTokens: 1_200n, outputTokens: 34n, costMicroUsd: 5_600n });
    const steps = [
      { ...about, step: step("model", { state: COMPLETED, usage }), valueBytes: 120 },
      { ...about, step: step("push", { state: STARTED, occurrence: 2 }) },
    ];
    await using hub = await startHub({
      orchestrator: { getPipeline: () => ({ pipeline: ended() }) },
      inspection: { getSteps: () => ({ steps, nextPageToken: "more" }) },
    });
    const { stdout } = await runBaton(["runs", "show", pipelineId], { hub: hub.url });
    expect(stdout).toMatch(/implement\/1 +model +completed +1234 +0\.0056 +120/);
    expect(stdout).toMatch(/implement\/1 +push \(use 2\) +began, end unknown/);
    expect(stdout).toContain("and more");
  });

  it("[PIP-10] shows of an aborted one that its stages were stopped, and when", async () => {
    const aborted = aPipeline({ status: PipelineStatus.ABORTED });
    await using hub = await startHub({ orchestrator: { getPipeline: () => ({ pipeline: aborted }) } });
    const { stdout } = await runBaton(["runs", "show", pipelineId], { hub: hub.url });
    expect(stdout).toMatch(/implement +✓ completed +42s/);
    expect(stdout).toMatch(/review +✗ stopped +16s/);
    expect(stdout).toMatch(/release +– never started/);
  });

  it.each([
    ["says", ActorType.ORCHESTRATOR, GateCheckStatus.NOT_APPLICABLE, true],
    ["does not say, after a review by a person,", ActorType.HUMAN, GateCheckStatus.NOT_APPLICABLE, false],
    ["does not say, after a check,", ActorType.ORCHESTRATOR, GateCheckStatus.PASSED, false],
  ])("[PIP-06] %s that nothing was checked", async (_, type, status, isPrinted) => {
    const passed = entry(1, {
      eventType: AuditEventType.GATE_PASSED,
      actor: { type, id: "who" },
      snapshot: gate(["tests", status, ""]),
    });
    await using hub = await startHub({
      orchestrator: { getPipeline: () => ({ pipeline: ended() }) },
      audit: { listAuditEntries: () => ({ entries: [passed] }) },
    });
    const { stdout } = await runBaton(["runs", "show", pipelineId], { hub: hub.url });
    const words =
      "checked    review: nothing was checked: the contract names no command and limits no files\n";
    expect(stdout.includes(words)).toBe(isPrinted);
  });

  it("takes the beginning of an id when only one has it, and names all when several have", async () => {
    await using hub = await startHub(two);
    const [one, several, none] = await Promise.all([
      runBaton(["runs", "show", "0197c5e2-1", "--output", "json"], { hub: hub.url }),
      runBaton(["runs", "show", "0197c5e2"], { hub: hub.url }),
      runBaton(["runs", "show", "ffff"], { hub: hub.url }),
    ]);
    expect(JSON.parse(one.stdout).pipeline.pipelineId).toBe(pipelineId);
    expect(JSON.parse(one.stdout).escalations).toHaveLength(1);
    expect(several.code).toBe(2);
    expect(several.stderr).toContain(
      `BATON-CLI-005  "0197c5e2" is the beginning of several ids: ${pipelineId}, ${otherId}`,
    );
    expect(none).toMatchObject({
      code: 3,
      stdout: "",
      stderr: "BATON-HUB-001  there is no such run\n  fix: list the commands\n",
    });
  });

  it("gives an error to a program as JSON", async () => {
    await using hub = await startHub(two);
    const { stderr } = await runBaton(["runs", "show", "ffff", "-o", "json"], { hub: hub.url });
    expect(JSON.parse(stderr)).toEqual({
      code: "BATON-HUB-001",
      message: "there is no such run",
      fix: "list the commands",
    });
  });
});

describe("[PIP-10] baton runs pause, resume and abort", () => {
  it("send the whole id with the reason, and show the run afterwards", async () => {
    const asked: [string, Pick<AbortPipelineRequest, "pipelineId" | "reason">][] = [];
    const answer = (name: string, status: PipelineStatus) => (request: AbortPipelineRequest) => {
      asked.push([name, { pipelineId: request.pipelineId, reason: request.reason }]);
      return { pipeline: aPipeline({ status }) };
    };
    await using hub = await startHub({
      orchestrator: {
        ...two.orchestrator,
        pausePipeline: ({ pipelineId: id, reason }) => {
          asked.push(["pause", { pipelineId: id, reason }]);
          return { pipeline: aPipeline({ status: PipelineStatus.PAUSED }) };
        },
        resumePipeline: ({ pipelineId: id, reason }) => {
          asked.push(["resume", { pipelineId: id, reason }]);
          return { pipeline: aPipeline() };
        },
        abortPipeline: answer("abort", PipelineStatus.ABORTED),
      },
    });
    const steer = (name: string) =>
      runBaton(["runs", name, "0197c5e2-1", "--reason", "because"], { hub: hub.url });
    expect((await steer("pause")).stdout).toMatch(/^! paused {2}Add a login page/);
    expect((await steer("resume")).stdout).toMatch(/^● running/);
    expect((await steer("abort")).stdout).toMatch(/^✗ aborted/);
    const request = { pipelineId, reason: "because" };
    expect(asked).toEqual([
      ["pause", request],
      ["resume", request],
      ["abort", request],
    ]);
  });

  it("exit with the class of the hub's refusal", async () => {
    await using hub = await startHub({
      orchestrator: {
        ...two.orchestrator,
        abortPipeline: () => {
          throw new ConnectError("it has ended", Code.FailedPrecondition);
        },
      },
    });
    const { code } = await runBaton(["runs", "abort", pipelineId, "--reason", "r"], { hub: hub.url });
    expect(code).toBe(4);
  });
});
