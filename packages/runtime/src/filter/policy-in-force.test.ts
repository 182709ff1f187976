import {
  ListAuditEntriesRequestSchema,
  PausePipelineRequestSchema,
  PipelineStatus,
  ResumePipelineRequestSchema,
} from "@baton/contract";
import { createRedactor, type RedactionPolicy } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ada,
  dispatchOf,
  eventually,
  reaches,
  read,
  submit,
  TestAgent,
  testHub,
} from "../../testing/index.ts";
import { Filter } from "./filter.ts";

const colours: RedactionPolicy = {
  alwaysRedact: ["audit_entry.rationale", "pipeline.status_reason", "**/*.summary", "decision.description"],
  conditionalRedact: [],
};

function redactorBy(policy: RedactionPolicy) {
  const made = createRedactor({ policy, personalData: "everywhere" });
  if (!made.ok) throw new Error(made.problems[0]?.message);
  return made.redactor;
}

describe("a redaction policy", () => {
  it("[OBS-05] that is changed holds for the record and for answers from then on", async () => {
    const filter = new Filter();
    const hub = await testHub({ filter });
    const pipelineId = await submit(hub);
    const pause = (reason: string) =>
      hub.pausePipeline(ada, create(PausePipelineRequestSchema, { pipelineId, reason }));
    await pause("it is blue");
    filter.use(redactorBy(colours));
    const shown = await read(hub, pipelineId);
    expect([shown.status, shown.statusReason]).toEqual([PipelineStatus.PAUSED, "[redacted:field]"]);
    await hub.resumePipeline(ada, create(ResumePipelineRequestSchema, { pipelineId, reason: "it is red" }));
    const { entries } = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema));
    const reasons = entries.filter(({ actor }) => actor?.id === ada.id).map(({ rationale }) => rationale);
    // What was sealed stays as it was sealed.
    expect(reasons).toContain("it is blue");
    expect(reasons).toContain("[redacted:field]");
    expect(reasons).not.toContain("it is red");
    await hub.drain(0);
  });

  it("[OBS-05] holds for what the agent of a later stage is told", async () => {
    const hub = await testHub({ filter: new Filter({ redactor: redactorBy(colours) }) });
    const agent = new TestAgent(hub, { packId: "dev" });
    const description = "the house is to be blue";
    const id = await submit(hub, {
      context: { decisionMemo: { decisions: [{ decisionId: "d", description }] } },
    });
    const envelope = await eventually("an envelope", () => agent.envelopes[0]);
    expect(dispatchOf(envelope)).not.toBe("");
    const [decision] = envelope.contextIn?.decisionMemo?.decisions ?? [];
    expect(decision).toMatchObject({ decisionId: "d", description: "[redacted:field]" });
    await reaches(hub, id, PipelineStatus.COMPLETED);
    await hub.drain(0);
  });
});
