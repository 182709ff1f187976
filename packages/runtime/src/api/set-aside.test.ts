import {
  AttemptEnding,
  Confidence,
  GetAttemptsRequestSchema,
  Outcome,
  PipelineStatus,
  ReviewStageRequestSchema,
  type TaskEnvelope,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, eventually, planOf, reaches, submit, TestAgent, testHub } from "../../testing/index.ts";
import type { Hub } from "./hub.ts";
import { revisionOf, rewind, transitions } from "./testing/rewinds.ts";

const contract = { taskId: "t", title: "Add up", acceptanceCriteria: ["it adds up"] };
const plan = planOf(stages({ one: {}, two: {} }));

async function finished() {
  const hub = await testHub();
  onTestFinished(() => hub.drain(0));
  new TestAgent(hub, { packId: "dev" });
  const pipelineId = await submit(hub, { contract, plan });
  const pipeline = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  return { hub, pipelineId, pipeline };
}

/** How every attempt ended: "two/1 ACCEPTED set aside". */
async function endings(hub: Hub, pipelineId: string): Promise<readonly string[]> {
  const { attempts } = await hub.getAttempts(ada, create(GetAttemptsRequestSchema, { pipelineId }));
  return attempts.map(({ dispatchId, ending, setAside }) => {
    const name = dispatchId.replace(`${pipelineId}/`, "");
    return `${name} ${AttemptEnding[ending]}${setAside ? " set aside" : ""}`;
  });
}

describe("the attempts of a pipeline that was rewound", () => {
  it("[TUR-08] are set aside when a rewind goes back behind them, until somebody returns to them", async () => {
    const { hub, pipelineId, pipeline } = await finished();
    expect(await endings(hub, pipelineId)).toEqual(["one/1 ACCEPTED", "two/1 ACCEPTED"]);
    // It was running there: it is sent again, and its earlier result is superseded.
    await rewind(hub, pipelineId, await revisionOf(hub, pipelineId, "two", "DISPATCHED"));
    const again = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(await endings(hub, pipelineId)).toEqual([
      "one/1 ACCEPTED",
      "two/1 ACCEPTED set aside",
      "two/2 ACCEPTED",
    ]);
    await rewind(hub, pipelineId, pipeline.revision);
    expect(await endings(hub, pipelineId)).toEqual([
      "one/1 ACCEPTED",
      "two/1 ACCEPTED",
      "two/2 ACCEPTED set aside",
    ]);
    // The time of the repeated attempt starts with its dispatch.
    const [one, two] = again.stages.map(({ startedAt }) => startedAt && timestampMs(startedAt));
    const ended = pipeline.updatedAt && timestampMs(pipeline.updatedAt);
    expect(two).toBeGreaterThanOrEqual(ended ?? Number.POSITIVE_INFINITY);
    expect(one).toBeLessThanOrEqual(ended ?? 0);
  });

  it("[TUR-08] are no longer rejected when a rewind goes back behind the rejection", async () => {
    const hub = await testHub();
    onTestFinished(() => hub.drain(0));
    const isUnsure = ({ execution }: TaskEnvelope) => execution?.dispatchId.endsWith("/two/1");
    const answer = (envelope: TaskEnvelope) =>
      isUnsure(envelope)
        ? { status: { outcome: Outcome.SUCCESS, confidence: Confidence.UNCERTAIN } }
        : { status: { outcome: Outcome.SUCCESS } };
    new TestAgent(hub, { packId: "dev", answer });
    const pipelineId = await submit(hub, { contract, plan });
    const review = { pipelineId, stageId: "two", dispatchId: `${pipelineId}/two/1`, reason: "it is wrong" };
    const rejection = { rewindTargetStage: "one", instructions: ["do it right"] };
    const verdict = { case: "rejection", value: rejection } as const;
    await eventually("a question", async () => (await endings(hub, pipelineId)).length === 2);
    await eventually("a review", () =>
      hub.reviewStage(ada, create(ReviewStageRequestSchema, { ...review, verdict })).catch(() => undefined),
    );
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const sent = ["one/1 REJECTED", "two/1 SENT_BACK", "one/2 ACCEPTED", "two/2 ACCEPTED"];
    expect(await endings(hub, pipelineId)).toEqual(sent);
    const moves = await transitions(hub, pipelineId, "one");
    const first = moves.find(({ toStatus }) => toStatus === "COMPLETED");
    await rewind(hub, pipelineId, first?.revision ?? 0n);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(await endings(hub, pipelineId)).toEqual([
      ...["one/1 ACCEPTED", "two/1 SENT_BACK set aside", "one/2 ACCEPTED set aside"],
      ...["two/2 ACCEPTED set aside", "two/3 ACCEPTED"],
    ]);
  });
});
