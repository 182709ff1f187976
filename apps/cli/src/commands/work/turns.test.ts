import {
  AgentRole,
  Complexity,
  type GetTurnsRequest,
  GetTurnsResponseSchema,
  type TurnRecordSchema,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { startHub } from "../../../testing/hub-double.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { aPipeline, pipelineId } from "../../../testing/sample.ts";

const role = AgentRole.DEVELOPER;
const recordedAt = timestampFromMs(1_800_000_000_000);

function printed(
  attemptNumber: number,
  turnIndex: number,
  thought: string,
): MessageInitShape<typeof TurnRecordSchema> {
  return {
    ...{
      dispatchId: `${pipelineId}/implement/${attemptNumber}`,
      stageId: "implement",
      attemptNumber,
      recordedAt,
    },
    turn: {
      ...{ turnIndex, agentId: role, role, packId: "dev" },
      content: { thought, action: "edit", observation: "" },
      metadata: {
        ...{ version: "1.0.0", taskId: "t", timestamp: recordedAt },
        ...{ confidence: 0.75, estimatedComplexity: Complexity.LOW },
      },
    },
  };
}

/** A hub with three turns on two pages, and what it was asked. */
async function sayingHub() {
  const asked: GetTurnsRequest[] = [];
  const hub = await startHub({
    orchestrator: { getPipeline: () => ({ pipeline: aPipeline() }) },
    inspection: {
      getTurns: (request) => {
        asked.push(request);
        const isFirst = request.pageToken === "";
        return create(GetTurnsResponseSchema, {
          turns: isFirst
            ? [printed(1, 0, "look\nthen leap"), printed(1, 3, "again")]
            : [printed(2, 0, "\u001b[31mred")],
          gaps: isFirst ? [{ dispatchId: `${pipelineId}/implement/1`, firstIndex: 1, lastIndex: 2 }] : [],
          nextPageToken: isFirst ? "more" : "",
        });
      },
    },
  });
  return { hub, asked };
}

describe("baton turns", () => {
  it("[TUR-02] shows what agents said, attempt by attempt, and names what is missing", async () => {
    const { hub } = await sayingHub();
    await using _ = hub;
    const { code, stdout } = await runBaton(["turns", pipelineId], { hub: hub.url });
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        `${pipelineId}/implement/1`,
        "  turn 0: 75% sure, low complexity, dev, 2027-01-15T08:00:00Z",
        "    thought  look",
        "             then leap",
        "    action   edit",
        "  turns 1 to 2 are not there",
        "  turn 3: 75% sure, low complexity, dev, 2027-01-15T08:00:00Z",
        "    thought  again",
        "    action   edit",
        `${pipelineId}/implement/2`,
        "  turn 0: 75% sure, low complexity, dev, 2027-01-15T08:00:00Z",
        "    thought  \\x1b[31mred",
        "    action   edit",
        "",
      ].join("\n"),
    );
  });

  it("[TUR-02] asks for a stage or one attempt by the id of a dispatch", async () => {
    const { hub, asked } = await sayingHub();
    await using _ = hub;
    await runBaton(["turns", `${pipelineId}/implement`, "--limit", "1"], { hub: hub.url });
    expect(asked[0]).toMatchObject({ pipelineId, stageId: "implement", attemptNumber: 0, pageSize: 1 });
    await runBaton(["turns", `${pipelineId}/implement/2`, "--limit", "1"], { hub: hub.url });
    expect(asked.at(-1)).toMatchObject({ pipelineId, stageId: "implement", attemptNumber: 2 });
  });

  it("[TUR-02] writes the answer as JSON, one document or one turn a line", async () => {
    const { hub } = await sayingHub();
    await using _ = hub;
    const whole = await runBaton(["turns", pipelineId, "--output", "json"], { hub: hub.url });
    expect(JSON.parse(whole.stdout)).toMatchObject({ turns: [{}, {}, {}], gaps: [{ firstIndex: 1 }] });
    const lines = await runBaton(["turns", pipelineId, "--output", "jsonl", "--limit", "2"], {
      hub: hub.url,
    });
    const [first, second] = lines.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([first.turn.content.thought, second.turn.turnIndex]).toEqual(["look\nthen leap", 3]);
    expect(lines.stderr).toContain("use --limit 4");
  });

  it("[TUR-02] names the stages of a run that has none of that name", async () => {
    const { hub, asked } = await sayingHub();
    await using _ = hub;
    const run = await runBaton(["turns", `${pipelineId}/nope`], { hub: hub.url });
    expect([run.code, run.stdout, asked]).toEqual([3, "", []]);
    expect(run.stderr).toContain("give one of: implement, release, review\n");
  });

  it("[TUR-02] names turns that are gone, at the end of an attempt and when nothing else is left of one", async () => {
    const attempt = (number: number) => `${pipelineId}/implement/${number}`;
    await using hub = await startHub({
      orchestrator: { getPipeline: () => ({ pipeline: aPipeline() }) },
      inspection: {
        getTurns: () =>
          create(GetTurnsResponseSchema, {
            turns: [printed(2, 1, "look"), printed(3, 0, "leap")],
            gaps: [
              { dispatchId: attempt(1), firstIndex: 0, lastIndex: 4 },
              { dispatchId: attempt(2), firstIndex: 0, lastIndex: 0 },
              { dispatchId: attempt(3), firstIndex: 1, lastIndex: 1 },
            ],
          }),
      },
    });
    const { stdout } = await runBaton(["turns", pipelineId], { hub: hub.url });
    const lines = stdout.split("\n").filter((line) => /implement|not there| {2}turn /.test(line));
    expect(lines).toEqual([
      ...[attempt(1), "  turns 0 to 4 are not there"],
      ...[attempt(2), "  turn 0 is not there", expect.stringContaining("  turn 1:")],
      ...[attempt(3), expect.stringContaining("  turn 0:"), "  turn 1 is not there"],
    ]);
  });

  it.each([
    [
      [{ dispatchId: `${pipelineId}/implement/1`, firstIndex: 0, lastIndex: 2 }],
      "turns 0 to 2 are not there",
    ],
    [[], "no turns"],
  ])("[TUR-02] says that there are no turns only where there are none", async (gaps, words) => {
    await using hub = await startHub({
      orchestrator: { getPipeline: () => ({ pipeline: aPipeline() }) },
      inspection: { getTurns: () => create(GetTurnsResponseSchema, { gaps }) },
    });
    const { stdout, stderr } = await runBaton(["turns", pipelineId], { hub: hub.url });
    expect(stdout + stderr).toContain(words);
    expect((stdout + stderr).includes("no turns")).toBe(gaps.length === 0);
  });
});
