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
import { ada, planOf, reaches, submit, TestAgent, testHub } from "../../../testing/index.ts";
import { openMemoryStore } from "../../stores/index.ts";
import { auditScanLimits, findUnchecked } from "./audit-findings.ts";

/** A pipeline whose stages were all accepted as they came: its contract names nothing that could be looked at. */
async function accepted(stages: number) {
  const store = openMemoryStore();
  const hub = await testHub({ store });
  const agent = new TestAgent(hub, { packId: "dev", maxTasks: stages });
  await agent.receive("welcome");
  const plan = Array.from({ length: stages }, (_, place) =>
    create(StageSchema, { stageId: `s${place}`, taskType: "code", config: { required: true } }),
  );
  const pipelineId = await submit(hub, { plan: planOf(plan) });
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  const readAttempts = async () =>
    (await hub.getAttempts(ada, create(GetAttemptsRequestSchema, { pipelineId }))).attempts;
  return { store, hub, pipelineId, readAttempts };
}

describe("whether attempts were checked", () => {
  it("[PIP-06] is listed for all attempts, also those before the last thousand", async () => {
    const stages = Math.ceil(auditScanLimits.page * 0.6);
    const { hub, pipelineId, readAttempts } = await accepted(stages);
    const again = { pipelineId, toRevision: 1n, reason: "once more" };
    await hub.rewindPipeline(ada, create(RewindPipelineRequestSchema, again));
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const attempts = await readAttempts();
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

  it("[PIP-06] is unknown for attempts beyond the search limit", async () => {
    const { store, pipelineId, readAttempts } = await accepted(5);
    const ids = (await readAttempts()).map(({ dispatchId }) => dispatchId);
    const place = { tenantId: ada.tenantId, pipelineId };
    const find = (entries: number) => findUnchecked({ store }, place, ids, { entries, page: 2 });
    expect(await find(5)).toEqual({ unchecked: new Set(ids), unknown: new Set() });
    const some = await find(3);
    expect([some.unchecked.size, some.unknown.size]).toEqual([3, 2]);
    expect(some.unchecked.union(some.unknown)).toEqual(new Set(ids));
  });
});
