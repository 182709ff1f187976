import {
  AttemptEnding,
  GetAttemptRequestSchema,
  GetAttemptsRequestSchema,
  PipelineStatus,
  RewindPipelineRequestSchema,
  StageSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ada, planOf, reaches, submit, TestAgent, testHub } from "../../testing/index.ts";
import { openMemoryStore } from "../stores/index.ts";
import { findUnchecked, notedLimits } from "./read-noted.ts";

/** A pipeline whose stages were all accepted as they came: its contract names nothing that could be looked at. */
async function accepted(stages: number) {
  const store = openMemoryStore();
  const hub = await testHub({ store });
  const agent = new TestAgent(hub, { packId: "dev", maxTasks: stages });
  await agent.hears("welcome");
  const plan = Array.from({ length: stages }, (_, place) =>
    create(StageSchema, { stageId: `s${place}`, taskType: "code", config: { required: true } }),
  );
  const pipelineId = await submit(hub, { plan: planOf(plan) });
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  const told = async () =>
    (await hub.getAttempts(ada, create(GetAttemptsRequestSchema, { pipelineId }))).attempts;
  return { store, hub, pipelineId, told };
}

describe("whether attempts were checked", () => {
  it("[PIP-06] is told of all that are shown, also of those before the last thousand", async () => {
    const stages = Math.ceil(notedLimits.page * 0.6);
    const { hub, pipelineId, told } = await accepted(stages);
    const again = { pipelineId, toRevision: 1n, reason: "once more" };
    await hub.rewindPipeline(ada, create(RewindPipelineRequestSchema, again));
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const attempts = await told();
    expect(attempts).toHaveLength(2 * stages);
    const wrong = attempts.filter(
      ({ ending, unchecked, checksUnknown }) =>
        ending !== AttemptEnding.ACCEPTED || !unchecked || checksUnknown,
    );
    expect(wrong).toEqual([]);
    const oldest = create(GetAttemptRequestSchema, { dispatchId: attempts[0]?.dispatchId ?? "" });
    expect(await hub.getAttempt(ada, oldest)).toMatchObject({
      summary: { unchecked: true, checksUnknown: false },
      gate: { passed: true },
      dispatch: { selectedPackId: "dev" },
    });
  });

  it("[PIP-06] is not known of those that so many came after that they are not looked up", async () => {
    const { store, pipelineId, told } = await accepted(5);
    const ids = (await told()).map(({ dispatchId }) => dispatchId);
    const place = { tenantId: ada.tenantId, pipelineId };
    const find = (entries: number) => findUnchecked({ store }, place, ids, { entries, page: 2 });
    expect(await find(5)).toEqual({ unchecked: new Set(ids), unknown: new Set() });
    const some = await find(3);
    expect([some.unchecked.size, some.unknown.size]).toEqual([3, 2]);
    expect(some.unchecked.union(some.unknown)).toEqual(new Set(ids));
  });
});
