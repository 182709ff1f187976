import { AuditEventType, EscalationKind, PipelineStatus } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { startHub } from "../../../testing/hub-double.ts";
import { type Running, runBaton, startBaton, startOnTerminal } from "../../../testing/run-baton.ts";
import {
  aPipeline,
  aQuestion,
  ended,
  entry,
  moved,
  pipelineId,
  printed,
  ranTool,
  thought,
} from "../../../testing/sample.ts";
import { forEver, Story } from "../../../testing/story.ts";

/** Up to the first line of the picture, which is written over; and any change of colour. */
const control = String.fromCharCode(27);
const redraw = new RegExp(`${control}\\[\\d+A\\r`);
const anyControl = new RegExp(`${control}\\[[?\\d;]*[a-zA-Z]`, "g");
const wiped = new RegExp(`\\dA\\r${control}\\[0J.*\\S`);
const colour = new RegExp(`${control}\\[\\d+m`);

const watch = (...args: string[]) => ["runs", "watch", pipelineId, ...args];

describe("baton runs watch", () => {
  it("prints past and new events as plain lines, and ends with the run", async () => {
    const story: Story = new Story([moved(1, "implement", "READY", "DISPATCHED")], async function* () {
      yield story.happen(ranTool(2, "npm test \u001b[2J"));
      story.pipeline = ended();
      yield story.happen(moved(3, "review", "DISPATCHED", "COMPLETED"));
      story.happen(moved(4, "", "RUNNING", "COMPLETED")); // Stored; it comes with the next stream.
      await forEver();
    });
    await using hub = await startHub(story.answers);
    const ran = await runBaton(watch(), { hub: hub.url });
    const [first, second, third, fourth, heading] = ran.stdout.split("\n");
    expect([first, second, third, fourth]).toEqual([
      "2027-01-31T12:00:01Z  implement  moves     READY → DISPATCHED",
      "2027-01-31T12:00:02Z  review     runs      ✓ npm test \\x1b[2J (3.2s)",
      "2027-01-31T12:00:03Z  review     moves     DISPATCHED → COMPLETED",
      "2027-01-31T12:00:04Z  run        moves     RUNNING → COMPLETED",
    ]);
    expect(heading).toBe("✓ completed  Add a login page  1m 12s");
    expect(ran.stdout).toContain("spent      12,345 tokens, $0.0123, 14 steps");
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
  });

  it("[TUR-04] resumes after a broken connection, with nothing lost or printed twice", async () => {
    const story: Story = new Story(
      [moved(1, "implement", "READY", "DISPATCHED")],
      async function* () {
        yield story.happen(moved(2, "implement", "DISPATCHED", "COMPLETED"));
        await running.printed('"sequence":"2"');
        story.happen(moved(3, "review", "READY", "DISPATCHED"));
        hub.breakConnections();
      },
      async function* () {
        story.pipeline = ended();
        yield story.happen(moved(4, "", "RUNNING", "COMPLETED"));
        await forEver();
      },
    );
    await using hub = await startHub(story.answers);
    const running = startBaton(watch("--output", "jsonl"), { hub: hub.url });
    const ran = await running.ended;
    const lines = ran.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const sequences = lines.flatMap(({ record }) => (record ? [record.sequence] : []));
    expect(sequences).toEqual(["1", "2", "3", "4"]);
    expect(story.asked).toEqual([0n, 2n, 4n]);
    expect(lines.at(-1)).toMatchObject({ pipeline: { status: "PIPELINE_STATUS_COMPLETED" } });
    expect(ran.code).toBe(0);
  });

  it("waits for a hub that was stopped, says so, and goes on when it is there again", async () => {
    const story = new Story([moved(1, "implement", "READY", "DISPATCHED")]);
    const first = await startHub(story.answers);
    const running = startBaton(watch(), { hub: first.url });
    await running.printed("READY");
    await first[Symbol.asyncDispose]();
    await running.printed("has gone");
    story.pipeline = ended();
    story.happen(moved(2, "", "RUNNING", "COMPLETED"));
    await using _ = await startHub(story.answers, first.port);
    const ran = await running.ended;
    expect(ran.stderr).toMatch(
      /^the hub at 127\.0\.0\.1:\d+ has gone: it was stopped or killed, .*start it again.*\nthe hub is back\n$/,
    );
    expect(ran.stdout.match(/^2027.*/gm)).toEqual([
      "2027-01-31T12:00:01Z  implement  moves     READY → DISPATCHED",
      "2027-01-31T12:00:02Z  run        moves     RUNNING → COMPLETED",
    ]);
    expect(ran.code).toBe(0);
  });

  it("[TUR-06] prints sandbox output on request, with its check and the number of lines left out", async () => {
    const gate = { check: "tests", leftOut: 3 };
    const story = new Story([printed(1, "ok 1 - \u001b]0;title\u0007"), printed(2, "1 failed", gate)]);
    story.pipeline = ended();
    await using hub = await startHub(story.answers);
    const ran = await runBaton(watch("--verbose"), { hub: hub.url });
    expect(ran.stdout).toContain("review     prints    ok 1 - \\x1b]0;title\\x07\n");
    expect(ran.stdout).toContain("review     prints    tests: (3 lines left out) 1 failed\n");
  });

  it("[PIP-10] shows the run as it is when it asks, though it moved while it was looked at", async () => {
    const story = new Story([moved(1, "review", "READY", "DISPATCHED")]);
    const asked = aQuestion({
      kind: EscalationKind.FAILURE,
      snapshot: { problem: "it failed", blocking: true },
    });
    const { orchestrator, audit = {} } = story.answers;
    await using hub = await startHub({
      audit,
      orchestrator: {
        ...orchestrator,
        listEscalations: () => {
          story.pipeline = aPipeline({ status: PipelineStatus.PAUSED, revision: 9n });
          return { escalations: [asked] };
        },
      },
    });
    const ran = await runBaton(watch(), { hub: hub.url });
    expect(ran.code).toBe(8);
    expect(ran.stdout).toContain("! paused  Add a login page");
    expect(ran.stdout).not.toContain("● running");
  });

  it("ends at Ctrl-C, says that the run goes on, and gives the shell's code for it", async () => {
    await using hub = await startHub(new Story([moved(1, "implement", "READY", "DISPATCHED")]).answers);
    const running = startBaton(watch(), { hub: hub.url });
    await running.printed("DISPATCHED");
    running.interrupt();
    const ran = await running.ended;
    expect(ran.code).toBe(130);
    expect(ran.stderr).toBe(`the run continues: baton runs watch ${pipelineId}\n`);
  });

  it("is quiet when nobody reads any more", async () => {
    let went = () => {};
    const gone = new Promise<void>((resolve) => {
      went = resolve;
    });
    const story: Story = new Story([moved(1, "implement", "READY", "DISPATCHED")], async function* () {
      await gone;
      for (let at = 2; at < 50; at++) yield moved(at, "implement", "READY", "DISPATCHED");
      await forEver();
    });
    await using hub = await startHub(story.answers);
    const running = startBaton(watch(), { hub: hub.url });
    await running.printed("DISPATCHED");
    running.child.stdout?.destroy();
    went();
    const ran = await running.ended;
    expect([ran.code, ran.stderr]).toEqual([141, ""]);
  });
});

describe("a run that waits for a person", () => {
  const waiting = () => {
    const story: Story = new Story([moved(1, "review", "READY", "DISPATCHED")], async function* () {
      await stays.printed("DISPATCHED");
      story.pipeline = ended();
      story.questions = [];
      yield story.happen(moved(2, "", "RUNNING", "COMPLETED"));
      await forEver();
    });
    story.questions = [aQuestion()];
    return story;
  };
  let stays: Running;

  it("ends the watching with its exit code, and with the way to answer", async () => {
    await using hub = await startHub(waiting().answers);
    const ran = await runBaton(watch(), { hub: hub.url });
    expect(ran.code).toBe(8);
    expect(ran.stdout).toContain("Waits for a person\n");
    expect(ran.stdout).toContain(`baton approve ${pipelineId}/e1 --reason "..."`);
    expect(ran.stderr).toBe("the run waits for an answer: see the commands above\n");
  });

  it.each(["pipe", "terminal"])("that paused for a question before shows it, in a %s", async (where) => {
    const story = waiting();
    story.pipeline = aPipeline({ status: PipelineStatus.PAUSED });
    await using hub = await startHub(story.answers);
    const start = where === "pipe" ? startBaton : startOnTerminal;
    const ran = await start(watch(), { hub: hub.url, env: { NO_COLOR: "1" } }).ended;
    expect(ran.code).toBe(8);
    expect(ran.stdout).toContain("The patch touches authentication");
    expect(ran.stdout).toContain(`baton approve ${pipelineId}/e1 --reason "..."`);
  });

  it("that was paused is printed with the command that resumes it", async () => {
    const story = waiting();
    story.questions = [];
    story.pipeline = aPipeline({ status: PipelineStatus.PAUSED });
    await using hub = await startHub(story.answers);
    const ran = await runBaton(watch(), { hub: hub.url });
    expect(ran.code).toBe(8);
    expect(ran.stdout).toContain(`baton runs resume ${pipelineId} --reason "..."\n`);
    expect(ran.stderr).toBe("the run is paused: see the commands above\n");
  });

  it("is watched until it ends with --keep-waiting", async () => {
    await using hub = await startHub(waiting().answers);
    stays = startBaton(watch("--keep-waiting"), { hub: hub.url });
    expect(await stays.ended).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("on a terminal", () => {
  const finish = (): Story => {
    const story: Story = new Story([ranTool(1, "npm test")], async function* () {
      story.pipeline = ended();
      yield story.happen(moved(2, "", "RUNNING", "COMPLETED"));
      await forEver();
    });
    return story;
  };

  it("a run is drawn in one place, then left there as it ended", async () => {
    await using hub = await startHub(finish().answers);
    const { stdout, code } = await startOnTerminal(watch(), { hub: hub.url, columns: 90 }).ended;
    expect(code).toBe(0);
    expect(stdout.startsWith("\u001b[?25l")).toBe(true);
    expect(stdout).toMatch(redraw);
    // Nothing is wiped before it is written over: that would flicker.
    expect(stdout.split("\u001b[?25h")[0]).not.toMatch(wiped);
    const [live = "", final = ""] = stdout.split("\u001b[?25h");
    expect(live).toContain("\u001b[36m● dispatched\u001b[39m");
    expect(final).toContain("\u001b[32m✓ completed\u001b[39m");
    expect(final).not.toMatch(redraw);
  });

  it("NO_COLOR takes the colours away, and a narrow one gets one line a stage", async () => {
    await using hub = await startHub(finish().answers);
    const env = { NO_COLOR: "1" };
    const { stdout } = await startOnTerminal(watch(), { hub: hub.url, columns: 40, env }).ended;
    expect(stdout).not.toMatch(colour);
    expect(stdout.replaceAll(anyControl, "")).toContain("  ✓ implement  42s\r\n");
  });

  it("[TUR-04] shows what is thought and done now, and what has been spent, in lines that fit", async () => {
    const spent = { usage: { inputTokens: 1_000n, outputTokens: 234n, costMicroUsd: 5_600n } };
    const story = new Story([
      moved(1, "review", "READY", "DISPATCHED"),
      thought(2, "First the tests.\nThen the edges of the"),
      ranTool(3, "npm test"),
      thought(4, " parser, one by one, as far as they go"),
    ]);
    story.record = [
      entry(1, {
        eventType: AuditEventType.RESULT_RECEIVED,
        snapshot: { snapshotPayload: { case: "result", value: spent } },
      }),
    ];
    await using hub = await startHub(story.answers);
    for (const columns of [100, 60, 40]) {
      const env = { NO_COLOR: "1" };
      const running = startOnTerminal(watch(), { hub: hub.url, columns, env });
      await running.printed("1,234 tokens");
      // Where there is little room, it is where the thought has got to that is shown.
      await running.printed("as far as they go");
      const lines = running.soFar().replaceAll(anyControl, "").split("\r\n");
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      running.interrupt();
      const { stdout, code } = await running.ended;
      expect(code).toBe(130);
      if (columns === 100) expect(stdout).toContain("thinks  Then the edges of the parser, one by one");
      expect(stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001b[?25l"));
    }
  });

  it("one that can only print gets plain lines", async () => {
    await using hub = await startHub(finish().answers);
    const env = { TERM: "dumb" };
    const { stdout } = await startOnTerminal(watch(), { hub: hub.url, env }).ended;
    expect(stdout).toContain("review     runs      ✓ npm test (3.2s)\r\n");
    expect(stdout).not.toContain(control);
  });

  it("Ctrl-C gives the cursor back", async () => {
    await using hub = await startHub(new Story([]).answers);
    const running = startOnTerminal(watch(), { hub: hub.url });
    await running.printed("dispatched");
    running.interrupt();
    const { stdout, code } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toContain("\u001b[?25h");
  });
});
