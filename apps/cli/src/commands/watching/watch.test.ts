import {
  AuditEventType,
  ErrorDetailSchema,
  GateCheckStatus,
  PipelineStatus,
  type WatchEventsResponse,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { startHub } from "../../../testing/hub-double.ts";
import { leaveTasks, scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton, startBaton, startOnTerminal } from "../../../testing/run-baton.ts";
import {
  anAgent,
  aPipeline,
  aQuestion,
  calledTool,
  caughtUp,
  dropped,
  entry,
  moved,
  pipelineId,
  printed,
  ranTool,
  thought,
} from "../../../testing/sample.ts";
import { forEver, Story } from "../../../testing/story.ts";
import { limits } from "../../limits.ts";
import { pause } from "../../terminal/pause.ts";

const all = ["watch", "--after", "0"];
const emptyRecord = { listAuditEntries: () => ({ entries: [] }) };

describe("baton watch", () => {
  it("[TUR-04] prints every event as a line, the chunks of a thought as one, with the number that --after takes", async () => {
    const story = new Story([
      moved(1, "implement", "READY", "DISPATCHED"),
      thought(2, "First "),
      thought(3, "the tests\u001b[2J", true),
      printed(4, "ok 1"),
    ]);
    story.record = [];
    await using hub = await startHub(story.answers);
    const ran = await runBaton([...all, "--no-follow"], { hub: hub.url });
    expect(ran.stdout.trimEnd().split("\n")).toEqual([
      `2027-01-31T12:00:01Z  1  ${pipelineId}/implement  moves     READY → DISPATCHED`,
      `2027-01-31T12:00:03Z  3  ${pipelineId}/review  thinks    First the tests\\x1b[2J`,
      `2027-01-31T12:00:04Z  4  ${pipelineId}/review  prints    ok 1`,
    ]);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
  });

  it("[TUR-04] prints what was thought before a tool call before it, however late the thought ends", async () => {
    const story = new Story([
      thought(1, "First the tests, "),
      thought(2, "all of them.\n"),
      calledTool(3, "npm"),
      ranTool(4, "npm"),
      thought(5, "They pass. Now the "),
      calledTool(6, "npx"),
      thought(7, "linter.", true),
      ranTool(8, "npx"),
    ]);
    await using hub = await startHub(story.answers);
    const { stdout } = await runBaton([...all, "--no-follow"], { hub: hub.url });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.replace(`${pipelineId}/review  `, "").replace(/^.*T12:00:/, ""))).toEqual(
      [
        "02Z  2  thinks    First the tests, all of them.",
        "03Z  3  starts    npm",
        "04Z  4  runs      ✓ npm (3.2s)",
        "05Z  5  thinks    They pass. Now the …",
        "06Z  6  starts    npx",
        "07Z  7  thinks    linter.",
        "08Z  8  runs      ✓ npx (3.2s)",
      ],
    );
  });

  it("[TUR-04] prints an unfinished thought at the end", async () => {
    const story = new Story([
      thought(1, "First the "),
      thought(2, "tests"),
      moved(3, "review", "DISPATCHED", "FAILED"),
    ]);
    await using hub = await startHub(story.answers);
    const { stdout } = await runBaton([...all, "--no-follow"], { hub: hub.url });
    expect(stdout.trimEnd().split("\n")).toEqual([
      `2027-01-31T12:00:03Z  3  ${pipelineId}/review  moves     DISPATCHED → FAILED`,
      `2027-01-31T12:00:02Z  2  ${pipelineId}/review  thinks    First the tests`,
    ]);
  });

  it("[TUR-05] refuses a stage or an agent that there is not, and says which there are", async () => {
    await using hub = await startHub({
      orchestrator: {
        ...new Story([]).answers.orchestrator,
        listPipelines: () => ({ pipelines: [aPipeline()] }),
      },
      registry: { listAgents: () => ({ agents: [anAgent("i-1")] }) },
      inspection: { getTemplates: () => ({ templates: [{ stages: [{ stageId: "build" }] }] }) },
    });
    const run = (...more: string[]) => runBaton([...all, "--no-follow", ...more], { hub: hub.url });
    const stage = await run("--stage", "nope");
    expect([stage.code, stage.stdout]).toEqual([2, ""]);
    expect(stage.stderr).toContain('no stage is called "nope"');
    expect(stage.stderr).toContain("give one of: build, implement, release, review, write-tests\n");
    const ofOne = await run("--stage", "build", "--pipeline", pipelineId);
    expect([ofOne.code, ofOne.stderr]).toEqual([2, expect.stringContaining("implement, release, review\n")]);
    const agent = await run("--agent", "nope");
    expect([agent.code, agent.stderr]).toEqual([2, expect.stringContaining("give one of: qa-engineer\n")]);
    const instance = await run("--agent", "qa-engineer/nope");
    expect(instance.stderr).toContain("give one of: qa-engineer/i-1\n");
    for (const known of [
      ["--stage", "write-tests"],
      ["--agent", "qa-engineer"],
      ["--agent", "qa-engineer/i-1"],
    ])
      expect((await run(...known)).code).toBe(0);
  });

  it("says at once that there is no hub, when there was none from the beginning", async () => {
    const { code, stdout, stderr } = await runBaton(all, { hub: "http://127.0.0.1:1" });
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(stderr).toContain("BATON-CLI-003");
  });

  it("[TUR-04] resumes when the hub is back, with nothing lost or printed twice", async () => {
    const story: Story = new Story(
      [moved(1, "implement", "READY", "DISPATCHED")],
      async function* () {
        yield story.happen(moved(2, "implement", "DISPATCHED", "COMPLETED"));
        await running.printed('"sequence":"2"');
        story.happen(moved(3, "review", "READY", "DISPATCHED"));
        hub.breakConnections();
      },
      async function* () {
        yield story.happen(moved(4, "review", "DISPATCHED", "COMPLETED"));
        await forEver();
      },
    );
    await using hub = await startHub(story.answers);
    const running = startBaton([...all, "--output", "jsonl"], { hub: hub.url });
    await running.printed('"sequence":"4"');
    running.interrupt();
    const { stdout, code } = await running.ended;
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.flatMap(({ record }) => (record ? [record.sequence] : []))).toEqual(["1", "2", "3", "4"]);
    expect(story.asked).toEqual([0n, 2n]);
    expect(code).toBe(130);
  });

  it("[TUR-04] goes on after what it was dropped at, and says so", async () => {
    const story: Story = new Story([moved(1, "implement", "READY", "DISPATCHED")], async function* () {
      story.happen(moved(2, "review", "READY", "DISPATCHED"));
      yield dropped(1, "1000 changes were waiting");
    });
    story.record = [];
    await using hub = await startHub(story.answers);
    const running = startBaton(all, { hub: hub.url });
    await running.printed("/review  moves");
    running.interrupt();
    const { stdout, stderr } = await running.ended;
    expect(stdout.match(/^2027.*DISPATCHED$/gm)).toHaveLength(2);
    expect(stderr).toBe("the hub dropped this watcher: 1000 changes were waiting; resuming\n");
  });

  it("[TUR-04] goes on with the first event that is left when those after its own are gone, and says so", async () => {
    const asked: (bigint | undefined)[] = [];
    const message = "events 2 to 40 were removed because they were old; the oldest event is 41";
    const detail = create(ErrorDetailSchema, { code: "BATON-QUERY-003", message });
    await using hub = await startHub({
      orchestrator: {
        async *watchEvents({ afterSequence }) {
          asked.push(afterSequence);
          if (asked.length === 1) yield moved(1, "implement", "READY", "DISPATCHED");
          else if (afterSequence === 0n) {
            yield moved(41, "review", "READY", "DISPATCHED");
            await forEver();
          } else {
            const details = [{ desc: ErrorDetailSchema, value: detail }];
            throw new ConnectError(message, Code.FailedPrecondition, undefined, details);
          }
        },
      },
      audit: emptyRecord,
    });
    const running = startBaton(["watch", "--stage", "review"], { hub: hub.url });
    await running.printed("/review  moves");
    running.interrupt();
    const { stdout, stderr } = await running.ended;
    expect(asked).toEqual([undefined, 1n, 0n]);
    expect(stdout.match(/^2027.*DISPATCHED$/gm)).toHaveLength(2);
    expect(stderr).toBe(`${message}; going on with it\n`);
  });

  it("[TUR-04] does not begin elsewhere when the number it was given is of events that are gone", async () => {
    const detail = create(ErrorDetailSchema, { code: "BATON-QUERY-003", message: "those are gone" });
    await using hub = await startHub({
      orchestrator: {
        watchEvents: () => {
          const details = [{ desc: ErrorDetailSchema, value: detail }];
          throw new ConnectError("gone", Code.FailedPrecondition, undefined, details);
        },
      },
    });
    const ran = await runBaton(["watch", "--after", "5"], { hub: hub.url });
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain("those are gone");
  });

  it("[TUR-04] asks the hub for a pipeline, a stage and a type, and of a real hub gets just that", async () => {
    const folder = scratchFolder();
    const { address: hub } = await startRealHub(folder);
    const [first = "", second = ""] = await leaveTasks(hub, 2);
    const watch = async (...more: string[]) => {
      const { stdout } = await runBaton(["watch", "--no-follow", "--output", "jsonl", ...more], { hub });
      const lines = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      return lines.flatMap(({ record }) => record ?? []);
    };
    const everything = await watch();
    expect(new Set(everything.map((one) => one.pipelineId))).toEqual(new Set([first, second]));
    const sequences = everything.map(({ sequence }) => Number(sequence));
    expect(sequences).toEqual(sequences.map((_, at) => at + 1));
    const ofFirst = await watch("--pipeline", first, "--type", "task-transition");
    expect(ofFirst).toEqual(everything.filter((one) => one.pipelineId === first));
    const ofStage = await watch("--stage", "implement");
    expect(ofStage.length).toBeGreaterThan(0);
    expect(ofStage).toEqual(everything.filter(({ stageId }) => stageId === "implement"));
    const later = await watch("--after", "2");
    expect(later).toEqual(everything.slice(2));
    expect(await watch("--type", "sandbox-pulse")).toEqual([]);
  });

  it("[TUR-04] asks the hub for the events of a pack, or of one of its agents", async () => {
    const filters: string[] = [];
    await using hub = await startHub({
      orchestrator: {
        async *watchEvents({ filter }) {
          filters.push(filter);
          yield caughtUp(0);
        },
      },
    });
    for (const agent of ["scribe", "scribe/i-1"])
      expect((await runBaton(["watch", "--no-follow", "--agent", agent], { hub: hub.url })).code).toBe(0);
    expect(filters).toEqual(['pack_id = "scribe"', 'pack_id = "scribe" AND instance_id = "i-1"']);
    const { address } = await startRealHub(scratchFolder());
    const real = await runBaton(["watch", "--no-follow", "--agent", "scribe/i-1"], { hub: address });
    expect(real).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });

  it.each([
    [["--after", "-1"], '--after does not accept "-1"', "give the number of an event, such as 0 or 128"],
    [["--type", "thought"], '--type does not accept "thought"', "give one of: thought-stream, "],
  ])("refuses %s with a fix", async (args, problem, fix) => {
    const { code, stderr } = await runBaton(["watch", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
    expect(stderr).toContain(fix);
  });
});

/** An agent that lied, a review that sent the work back, and a question, between events. */
function judged(...future: (() => AsyncIterable<WatchEventsResponse>)[]): Story {
  const story = new Story(
    [
      moved(1, "review", "READY", "DISPATCHED"),
      moved(5, "review", "DISPATCHED", "READY"),
      moved(60, "release", "PENDING", "READY"),
    ],
    ...future,
  );
  story.record = [lie(3), rejection(4)];
  story.questions = [aQuestion()];
  return story;
}

function lie(sequence: number) {
  const { GATE_FAILED } = AuditEventType;
  const claim = { passed: true, output: "2 tests, 2 pass" };
  const run = { command: "npm test", exitCode: 1, output: "# fail 1" };
  const check = { gateName: "tests", status: GateCheckStatus.FAILED, disproved: true, claim, run };
  const snapshot = { snapshotPayload: { case: "gate" as const, value: { checks: [check] } } };
  return entry(sequence, { eventType: GATE_FAILED, snapshot });
}

function rejection(sequence: number) {
  const value = { rewindTargetStage: "implement" };
  const snapshot = { snapshotPayload: { case: "gate" as const, value } };
  return entry(sequence, {
    ...{ eventType: AuditEventType.GATE_REJECTED, rationale: "accents get lost", snapshot },
  });
}

describe("baton watch, of what no event says", () => {
  const question = `${pipelineId}/e1`;
  const verdicts = [
    'review  caught    ✗ tests: the agent claimed "2 tests, 2 pass"; the hub ran it: "npm test" ended with 1: fail 1',
    "review  rejects   ✗ accents get lost",
    "review  rewind    back to implement, with this as its feedback",
    "review  asks      The patch touches authentication; advice: approve",
    `review  evidence  baton inbox ${question}`,
    `review  answer    baton approve ${question} --reason "..."`,
    `review  answer    baton reject ${question} --reason "..." --instruct "..."`,
    `review  answer    baton reject ${question} --unfixable --reason "..."`,
  ];
  const printedIn = (stdout: string) =>
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/^\S+ {2}/, "").replace(`${pipelineId}/`, ""));
  const unnumbered = (stdout: string) =>
    printedIn(stdout).flatMap((line) => (line.startsWith("-  ") ? [line.slice(3)] : []));

  it("[TUR-05] prints past false claims, rejections and questions in their order, without a number", async () => {
    await using hub = await startHub(judged().answers);
    const { stdout, stderr, code } = await runBaton([...all, "--no-follow"], { hub: hub.url });
    const [caught = "", rejects = "", rewind = "", ...asks] = verdicts.map((line) => `-  ${line}`);
    expect(printedIn(stdout)).toEqual([
      "1  review  moves     READY → DISPATCHED",
      ...[caught, rejects, rewind],
      "5  review  moves     DISPATCHED → READY",
      ...asks,
      "60  release  moves     PENDING → READY",
    ]);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  });

  it("[TUR-05] prints new ones once, also over an outage of the hub", async () => {
    const story: Story = judged(
      async function* () {
        story.record = [...(story.record ?? []), lie(70)];
        yield story.happen(moved(71, "review", "DISPATCHED", "READY"));
        await running.printed("caught");
        hub.breakConnections();
      },
      async function* () {
        story.questions = [...story.questions, aQuestion({ escalationId: `${pipelineId}/e2` })];
        story.record = [...(story.record ?? []), rejection(72)];
        yield story.happen(moved(73, "review", "DISPATCHED", "READY"));
        await forEver();
      },
    );
    await using hub = await startHub(story.answers);
    const running = startBaton(["watch"], { hub: hub.url });
    await Promise.all(["rewind", `baton reject ${pipelineId}/e2 --unfixable`].map(running.printed));
    // A repetition would be printed with the next poll.
    await pause(limits.pollMs + 500, AbortSignal.timeout(60_000));
    running.interrupt();
    const { stdout } = await running.ended;
    const lines = unnumbered(stdout).map((line) => line.replaceAll("/e2", "/e1"));
    expect(lines.toSorted()).toEqual(verdicts.toSorted());
  });

  it("[TUR-05] prints only the selected ones", async () => {
    await using hub = await startHub({
      ...judged().answers,
      registry: { listAgents: () => ({ agents: [anAgent("i-1")] }) },
    });
    const lines = async (...more: string[]) =>
      unnumbered((await runBaton([...all, "--no-follow", ...more], { hub: hub.url })).stdout);
    expect(await lines("--stage", "review")).toEqual(verdicts);
    expect(await lines("--stage", "release")).toEqual([]);
    expect(await lines("--type", "task-transition")).toEqual([]);
    expect(await lines("--agent", "qa-engineer")).toEqual(verdicts);
  });

  it("[TUR-05] prints new questions of a real hub with the commands that answer them, and no earlier ones", async () => {
    const { address: hub } = await startRealHub(scratchFolder());
    const [before = ""] = await leaveTasks(hub, 1);
    const running = startBaton(["watch"], { hub });
    // Of a watch in a pipe nothing is seen until something happens.
    while (!running.soFar().includes("moves")) await leaveTasks(hub, 1);
    const [first = "", second = ""] = await leaveTasks(hub, 2);
    await Promise.all([first, second].map((id) => running.printed(`answer    baton answer ${id}/e1 `)));
    running.interrupt();
    const { stdout } = await running.ended;
    expect(stdout).not.toContain(before);
    for (const id of [first, second])
      expect(stdout.split(`${id}/implement  evidence  baton inbox ${id}/e1\n`)).toHaveLength(2);
    const past = await runBaton([...all, "--no-follow"], { hub });
    for (const id of [before, first, second])
      expect(past.stdout.split(`${id}/implement  evidence  baton inbox ${id}/e1\n`)).toHaveLength(2);
  });

  it("[TUR-05] says in a pipe, once and on standard error, that the key may not read the audit record", async () => {
    const story = judged();
    story.record = undefined;
    await using hub = await startHub(story.answers);
    const { code, stdout, stderr } = await runBaton([...all, "--no-follow"], { hub: hub.url });
    expect(code).toBe(0);
    expect(stdout).not.toContain("caught");
    expect(stderr.split("the key may not read the audit record (role audit)")).toHaveLength(2);
  });

  it.each([100, 40])("[TUR-05] prints them in the story on a terminal of %i columns", async (columns) => {
    const story = judged();
    const { orchestrator, audit } = story.answers;
    const listPipelines = () => ({ pipelines: [story.pipeline] });
    await using hub = await startHub({
      orchestrator: { ...orchestrator, listPipelines },
      ...(audit && { audit }),
    });
    const running = startOnTerminal(all, { hub: hub.url, columns, env: { NO_COLOR: "1" } });
    await running.printed("  caught    ✗ tests: the agent claimed");
    await running.printed("  rejects   ✗ accents get lost");
    await running.printed("  rewind    back to implement, with this");
    await running.printed("  asks      The patch touches");
    await running.printed("  evidence  baton inbox");
    await running.printed("  answer    baton approve");
    await running.printed("  answer    baton reject");
    running.interrupt();
    expect((await running.ended).code).toBe(130);
  });
});

describe("baton watch on a terminal", () => {
  it.each([100, 60, 40])(
    "shows what is under way in %i columns, and Ctrl-C gives the cursor back",
    async (columns) => {
      const story = new Story([
        moved(1, "review", "READY", "DISPATCHED"),
        thought(2, "Only the edges are left"),
      ]);
      const asks = aPipeline({
        pipelineId: "p-other",
        pipelineName: "Release it",
        status: PipelineStatus.PAUSED,
      });
      const { orchestrator, audit } = story.answers;
      const listPipelines = ({ filter }: { filter: string }) => ({
        pipelines: filter.includes("RUNNING") ? [story.pipeline] : [asks],
      });
      const usage = { inputTokens: 12_000n, outputTokens: 345n, costMicroUsd: 12_300n };
      const snapshot = { snapshotPayload: { case: "result" as const, value: { usage } } };
      story.record = [entry(1, { eventType: AuditEventType.RESULT_RECEIVED, snapshot })];
      story.questions = [aQuestion({ pipelineId: "p-other" })];
      await using hub = await startHub({
        orchestrator: { ...orchestrator, listPipelines },
        ...(audit && { audit }),
      });
      const env = { NO_COLOR: "1" };
      const running = startOnTerminal(all, { hub: hub.url, columns, env });
      await running.printed("thinks  Only the edges are");
      await running.printed("The patch touches");
      await running.printed("2 runs under way");
      expect(running.soFar()).toContain("moves     READY → DISPATCHED");
      expect(running.soFar()).toContain("! paused  Release it");
      // The usage is printed where it fits.
      if (columns === 100) await running.printed("12,345 tokens, $0.0123");
      running.interrupt();
      const { code, stdout } = await running.ended;
      expect(code).toBe(130);
      expect(stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001b[?25l"));
      const lines = stdout
        .replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[?\\d;]*[a-zA-Z]`, "g"), "")
        .split("\r\n");
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
    },
  );
});
