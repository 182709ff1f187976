import {
  ListAuditEntriesRequestSchema,
  PausePipelineRequestSchema,
  PipelineStatus,
  ResumePipelineRequestSchema,
  WatchEventsRequestSchema,
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
  settles,
  submit,
  TestAgent,
  testHub,
} from "../../testing/index.ts";
import { EgressFilter } from "./egress-filter.ts";

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
    const filter = new EgressFilter();
    const hub = await testHub({ filter });
    const pipelineId = await submit(hub);
    const pause = (reason: string) =>
      hub.pausePipeline(ada, create(PausePipelineRequestSchema, { pipelineId, reason }));
    await pause("it is blue");
    filter.use(redactorBy(colours));
    const pipeline = await read(hub, pipelineId);
    expect([pipeline.status, pipeline.statusReason]).toEqual([PipelineStatus.PAUSED, "[redacted:field]"]);
    await hub.resumePipeline(ada, create(ResumePipelineRequestSchema, { pipelineId, reason: "it is red" }));
    const { entries } = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema));
    const reasons = entries.filter(({ actor }) => actor?.id === ada.id).map(({ rationale }) => rationale);
    // Chained entries stay unchanged.
    expect(reasons).toContain("it is blue");
    expect(reasons).toContain("[redacted:field]");
    expect(reasons).not.toContain("it is red");
    await hub.drain(0);
  });

  it("[OBS-05] applies to the envelopes of later stages", async () => {
    const hub = await testHub({ filter: new EgressFilter({ redactor: redactorBy(colours) }) });
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

  it("[TUR-03] [OBS-05] holds for every event, also for a transition that was written a moment ago", async () => {
    const policy = { alwaysRedact: ["task_transition.from_state"], conditionalRedact: [] };
    const hub = await testHub({ filter: new EgressFilter({ redactor: redactorBy(policy) }) });
    const stop = new AbortController();
    const watch = (filter: string, after?: bigint) => {
      const moves: string[] = [];
      const request = create(WatchEventsRequestSchema, {
        filter,
        ...(after !== undefined && { afterSequence: after }),
      });
      let isReady = false;
      const ended = (async () => {
        for await (const { message } of hub.watchEvents(ada, request, stop.signal)) {
          isReady ||= message.case === "caughtUp";
          if (message.case !== "record") continue;
          const payload = message.value.event?.payload;
          if (payload?.case !== "taskTransition") throw new Error(`a transition, not ${payload?.case}`);
          moves.push(`${payload.value.fromState} -> ${payload.value.toState}`);
        }
      })();
      return { moves, ended, ready: () => eventually("it to have caught up", () => isReady) };
    };
    // Those who want everything share what is shown; the others are shown what is made for them.
    const fresh = [watch(""), watch('type = "TASK_TRANSITION"'), watch('stage_id != "none"')];
    for (const one of fresh) await one.ready();
    const agent = new TestAgent(hub, { packId: "dev" });
    const pipelineId = await submit(hub);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const isOver = (moves: readonly string[]) => moves.some((move) => move.endsWith("-> COMPLETED"));
    for (const { moves } of fresh) {
      await eventually(
        "the last move",
        () => isOver(moves),
        () => moves,
      );
    }
    const again = [watch("", 0n), watch(`pipeline_id = "${pipelineId}"`, 0n)];
    for (const one of again) await one.ready();
    stop.abort();
    const watched = [...fresh, ...again];
    await settles(Promise.all(watched.map(({ ended }) => ended)), "the watches to end");
    expect(agent.envelopes).toHaveLength(1);
    for (const { moves } of watched) {
      expect(moves).toEqual(watched[0]?.moves);
      expect(moves.length).toBeGreaterThan(3);
      expect(moves.filter((move) => !move.startsWith("[redacted:field] -> "))).toEqual([]);
    }
    await hub.drain(0);
  });
});
