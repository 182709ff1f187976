import {
  EscalationKind,
  ListEscalationsRequestSchema,
  PipelineStatus,
  ResolveEscalationRequestSchema,
  ResponseStatus,
  RiskTier,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ada,
  dispatchOf,
  eventually,
  reaches,
  refusalOf,
  silent,
  submit,
  TestAgent,
  testHub,
} from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";

async function questions(hub: Hub, filter = "") {
  return (await hub.listEscalations(ada, create(ListEscalationsRequestSchema, { filter }))).escalations;
}

describe("a question to a person", () => {
  it("[DIS-09] is of normal risk where nobody stated one, before there is an agent as after", async () => {
    const hub = await testHub({ policy: undefined });
    await submit(hub);
    const [open] = await eventually("the question", async () => {
      const found = await questions(hub, "resolved = false");
      return found.length > 0 && found;
    });
    expect(open).toMatchObject({ kind: EscalationKind.ROUTING, riskTier: RiskTier.NORMAL });
  });

  it("is listed with what it is about, and afterwards with its answer", async () => {
    const hub = await testHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    await dev.receive("welcome");
    const pipelineId = await submit(hub, { riskTier: RiskTier.LOW });
    const envelope = await dev.envelope();
    dev.answer(envelope, {
      response: { status: ResponseStatus.CLARIFICATION_NEEDED, message: "which one?" },
    });
    const [open] = await eventually("the question", async () => {
      const found = await questions(hub, "resolved = false");
      return found.length > 0 && found;
    });
    expect(open).toMatchObject({
      kind: EscalationKind.CLARIFICATION,
      pipelineId,
      stageId: "code",
      dispatchId: dispatchOf(envelope),
      riskTier: RiskTier.LOW,
      snapshot: { problem: "which one?", resolution: "", blocking: true },
      raisedAt: expect.anything(),
    });
    expect(open?.resolvedAt).toBeUndefined();
    const byAll = `kind = CLARIFICATION AND stage_id = "code" AND risk_tier = LOW AND pipeline_id = "${pipelineId}"`;
    expect(await questions(hub, byAll)).toHaveLength(1);
    expect(await questions(hub, "kind = REVIEW")).toEqual([]);

    const escalationId = open?.escalationId ?? "";
    const answer = create(ResolveEscalationRequestSchema, { escalationId, resolution: "the first" });
    const { escalation } = await hub.resolveEscalation(ada, answer);
    expect(escalation).toMatchObject({
      escalationId,
      snapshot: { problem: "which one?", resolution: "the first", resolvedBy: "ada" },
      resolvedAt: expect.anything(),
    });
    expect(await questions(hub, "resolved = true")).toEqual([escalation]);
    expect(await questions(hub, "resolved = false")).toEqual([]);
    expect((await dev.envelope(2)).execution?.attemptNumber).toBe(2);
    expect(await refusalOf(hub.resolveEscalation(ada, answer))).toBeDefined();
  });

  it("is closed with its pipeline", async () => {
    const hub = await testHub();
    const pipelineId = await submit(hub, { plan: { case: "taskType", value: "dance" } });
    const [open] = await questions(hub, "resolved = false");
    expect(open).toMatchObject({ pipelineId, snapshot: { problem: expect.stringContaining("dance") } });
    const escalationId = open?.escalationId ?? "";
    const resolution = "abort";
    await hub.resolveEscalation(ada, create(ResolveEscalationRequestSchema, { escalationId, resolution }));
    await reaches(hub, pipelineId, PipelineStatus.ABORTED);
    expect(await questions(hub, "resolved = false")).toEqual([]);
  });
});
