import { stripVTControlCharacters } from "node:util";
import { ActorType, AuditEventType, GateCheckStatus, Outcome } from "@baton/contract";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { startHub } from "../../testing/hub-double.ts";
import { runBaton, startOnTerminal } from "../../testing/run-baton.ts";
import { ended, entry, gate, moved, pipelineId, ranTool } from "../../testing/sample.ts";
import { Story } from "../../testing/story.ts";

const watch = () => ["runs", "watch", pipelineId];

/** A review that rejects, then one that has nothing to look at, with events between. */
function aStory(): Story {
  const story = new Story([
    moved(1, "review", "READY", "DISPATCHED"),
    ranTool(3, "npm test"),
    moved(6, "review", "DISPATCHED", "READY"),
    moved(12, "", "RUNNING", "COMPLETED"),
  ]);
  const { DISPATCH_DECISION, RESULT_RECEIVED, GATE_FAILED, GATE_REJECTED, GATE_PASSED } = AuditEventType;
  const answer = {
    case: "result" as const,
    value: { outcome: Outcome.SUCCESS, evidenceCount: 1 },
  };
  story.record = [
    entry(1, {
      eventType: DISPATCH_DECISION,
      rationale: "taken: healthy, 0 of 1 tasks",
      snapshot: {
        snapshotPayload: {
          case: "dispatch",
          value: { candidates: [{ packId: "qa-engineer", eligible: true }, { packId: "other" }] },
        },
      },
    }),
    entry(4, {
      eventType: RESULT_RECEIVED,
      rationale: "it works",
      snapshot: { snapshotPayload: answer },
    }),
    entry(5, {
      eventType: GATE_FAILED,
      snapshot: gate(
        ["scope", GateCheckStatus.PASSED, "1 file, all as expected"],
        ["tests", GateCheckStatus.FAILED, '"npm test" ended with 1: not ok'],
        ["lint", GateCheckStatus.NOT_APPLICABLE, ""],
      ),
    }),
    entry(6, {
      eventType: GATE_REJECTED,
      rationale: "accents get lost",
      snapshot: { snapshotPayload: { case: "gate", value: { rewindTargetStage: "implement" } } },
    }),
    entry(10, {
      eventType: RESULT_RECEIVED,
      rationale: "now it works",
      stageId: "implement",
      dispatchId: "d-1",
    }),
    entry(11, {
      eventType: GATE_PASSED,
      stageId: "implement",
      dispatchId: "d-1",
      snapshot: gate(["tests", GateCheckStatus.NOT_APPLICABLE, ""]),
    }),
  ];
  story.pipeline = ended();
  return story;
}

describe("the story of a run", () => {
  it("[DIS-09] [PIP-08] in a pipe is one line an event: routing, evidence, verdict, rewind", async () => {
    await using hub = await startHub(aStory().answers);
    const { stdout, code } = await runBaton(watch(), { hub: hub.url });
    expect(stdout.match(/^2027.*/gm)?.map((line) => line.slice(22))).toEqual([
      "review     attempt 1",
      "review     routed    to qa-engineer, the only candidate: healthy, 0 of 1 tasks",
      "review     moves     READY → DISPATCHED",
      "review     runs      ✓ npm test (3.2s)",
      "review     answers   it works (1 proof attached)",
      'review     checked   ✓ scope: 1 file, all as expected; ✗ tests: "npm test" ended with 1, run again by the hub',
      "review     rejects   ✗ accents get lost",
      "review     rewind    back to implement, with this as its feedback",
      "review     moves     DISPATCHED → READY",
      "implement  answers   ✗ now it works (0 proofs attached)",
      "implement  checked   – nothing was checked: the contract names no command and limits no files",
      "run        moves     RUNNING → COMPLETED",
    ]);
    expect(stdout).toContain("    checked    implement: nothing was checked: the contract names no command");
    expect(code).toBe(0);
  });

  it("[DIS-09] is in the order in which it happened: what led to a choice comes before the choice", async () => {
    const together = [
      moved(2, "", "NONE", "PENDING"),
      moved(3, "", "PENDING", "RUNNING"),
      moved(4, "review", "PENDING", "READY"),
      moved(5, "review", "READY", "DISPATCHED"),
    ];
    // The record has the time of the decision, the events that at which it was stored.
    const decidedAt = entry(1, {}).timestamp;
    for (const { message } of together) {
      if (message.case !== "record" || !decidedAt) continue;
      message.value.recordedAt = timestampFromMs(timestampMs(decidedAt) + 16);
    }
    const story = new Story([...together, moved(12, "", "RUNNING", "COMPLETED")]);
    story.record = [
      entry(1, {
        ...{ eventType: AuditEventType.DISPATCH_DECISION, dispatchId: "d-2", rationale: "taken: healthy" },
        snapshot: {
          snapshotPayload: {
            case: "dispatch",
            value: { candidates: [{ packId: "qa-engineer", eligible: true }] },
          },
        },
      }),
    ];
    story.pipeline = ended();
    await using hub = await startHub(story.answers);
    const { stdout } = await runBaton(watch(), { hub: hub.url });
    expect(
      stdout.match(/^2027.*/gm)?.map((line) => line.slice(22).trim().split(/ {2,}/).slice(1).join(" ")),
    ).toEqual([
      "moves NONE → PENDING",
      "moves PENDING → RUNNING",
      "moves PENDING → READY",
      "attempt 1",
      "routed to qa-engineer, the only candidate: healthy",
      "moves READY → DISPATCHED",
      "moves RUNNING → COMPLETED",
    ]);
  });

  it("[DIS-09] [PIP-08] on a terminal is printed below each stage, and states are left to the live view", async () => {
    await using hub = await startHub(aStory().answers);
    const env = { NO_COLOR: "1" };
    const ran = await startOnTerminal(watch(), { hub: hub.url, columns: 100, env }).ended;
    const stdout = stripVTControlCharacters(ran.stdout);
    const story = [
      "review  attempt 1\r\n",
      "  routed    to qa-engineer, the only candidate: healthy, 0 of 1 tasks\r\n",
      "  runs      ✓ npm test (3.2s)\r\n",
      "  answers   it works (1 proof attached)\r\n",
      "  checked   ✓ scope: 1 file, all as expected\r\n",
      '            ✗ tests: "npm test" ended with 1, run again by the hub\r\n',
      "  rejects   ✗ accents get lost\r\n",
      "  rewind    back to implement, with this as its feedback\r\n",
      "implement\r\n",
      "  answers   ✗ now it works (0 proofs attached)\r\n",
      "✓ completed  Add a login page",
    ];
    let from = 0;
    for (const part of story) {
      const place = stdout.indexOf(part, from);
      expect(place, `"${part}" is not there, or not in its place, in:\n${stdout}`).toBeGreaterThanOrEqual(
        from,
      );
      from = place;
    }
    expect(stdout).not.toContain("moves");
  });

  it("[TUR-08] says who took the run back, where to and why", async () => {
    const story = aStory();
    const pipeline = { case: "pipeline" as const, value: { rewoundFrom: 42n, rewoundTo: 17n } };
    const rewound = {
      ...{
        eventType: AuditEventType.PIPELINE_REWOUND,
        rationale: "a wrong turn",
        stageId: "",
        dispatchId: "",
      },
      ...{ actor: { type: ActorType.HUMAN, id: "ada" }, snapshot: { snapshotPayload: pipeline } },
    };
    story.record = [entry(2, rewound)];
    await using hub = await startHub(story.answers);
    const { stdout } = await runBaton(watch(), { hub: hub.url });
    expect(stdout).toMatch(/run +rewind +to revision 17, by ada: a wrong turn/);
  });

  it("[DIS-14] says that an agent was shut out, and how it is let in again", async () => {
    const story = aStory();
    const { AGENT_QUARANTINED } = AuditEventType;
    const agent = { case: "agent" as const, value: { instanceId: "i-1", consecutiveFailures: 3 } };
    const quarantined = {
      ...{ eventType: AGENT_QUARANTINED, rationale: "3 results in a row whose claims did not hold" },
      ...{ pipelineId: "", stageId: "", dispatchId: "", snapshot: { snapshotPayload: agent } },
    };
    story.record = [
      ...(story.record ?? []),
      entry(7, quarantined),
      entry(8, { ...quarantined, packId: "somebody-else" }),
    ].toSorted((a, b) => Number(a.sequence - b.sequence));
    await using hub = await startHub(story.answers);
    const { stdout } = await runBaton(watch(), { hub: hub.url });
    expect(stdout).toContain(
      "shut out  ✗ qa-engineer/i-1: 3 results in a row whose claims did not hold; after the fix: " +
        'baton agent restore qa-engineer/i-1 --reason "..."\n',
    );
    expect(stdout).not.toContain("somebody-else");
  });

  it("[DIS-14] says that an agent was let in again, also when that was before what it led to", async () => {
    const { AGENT_RESTORED, AGENT_QUARANTINED, DISPATCH_DECISION } = AuditEventType;
    const agent = { case: "agent" as const, value: { instanceId: "i-1" } };
    const ofFleet = {
      ...{ pipelineId: "", stageId: "", dispatchId: "", snapshot: { snapshotPayload: agent } },
      ...{ actor: { type: ActorType.HUMAN, id: "ada" }, rationale: "its disk is larger now" },
    };
    const { promise: wasRead, resolve: read } = Promise.withResolvers<void>();
    const story: Story = new Story([moved(1, "review", "READY", "DISPATCHED")], async function* () {
      await wasRead;
      story.record = [
        ...(story.record ?? []),
        entry(8, { ...ofFleet, eventType: AGENT_RESTORED }),
        entry(9, { ...ofFleet, eventType: AGENT_RESTORED, packId: "somebody-else" }),
        entry(10, { eventType: DISPATCH_DECISION, rationale: "taken: healthy, 0 of 1 tasks" }),
      ];
      story.pipeline = ended();
      yield story.happen(moved(12, "", "RUNNING", "COMPLETED"));
    });
    story.record = [
      entry(1, { eventType: DISPATCH_DECISION, rationale: "taken: healthy, 0 of 1 tasks" }),
      entry(2, { ...ofFleet, eventType: AGENT_QUARANTINED, rationale: "3 invalid results in a row" }),
    ];
    const { answers } = story;
    await using hub = await startHub({
      ...answers,
      audit: {
        listAuditEntries: (request, context) => {
          // What is asked for of the fleet comes last.
          if (request.filter.includes("event_type")) setTimeout(read, 100);
          return answers.audit?.listAuditEntries?.(request, context) ?? {};
        },
      },
    });
    const { stdout } = await runBaton(watch(), { hub: hub.url });
    expect(stdout).toMatch(/shut out +✗ qa-engineer\/i-1: 3 invalid results in a row/);
    expect(stdout).toMatch(/let in +qa-engineer\/i-1 again, by ada: its disk is larger now\n/);
    expect(stdout.match(/let in/g)).toHaveLength(1);
  });

  it("is printed from events alone when the key may not read the audit record", async () => {
    const story = aStory();
    story.record = undefined;
    await using hub = await startHub(story.answers);
    const env = { NO_COLOR: "1" };
    const ran = await startOnTerminal(watch(), { hub: hub.url, columns: 100, env }).ended;
    const stdout = stripVTControlCharacters(ran.stdout);
    expect(stdout).toContain(
      "the key may not read the audit record (role audit): only states and tools are printed\r\n",
    );
    expect(stdout).toContain("  moves     READY → DISPATCHED\r\n");
    expect(ran.code).toBe(0);
  });
});
