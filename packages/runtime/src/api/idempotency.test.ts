import { PipelinePolicySchema, PipelineStatus } from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  ada,
  Lives,
  planOf,
  reaches,
  refusalOf,
  TestAgent,
  task,
  testHub,
  VirtualClock,
} from "../../testing/index.ts";
import { openMemoryStore } from "../stores/index.ts";
import type { Hub } from "./hub.ts";

const other = task({
  contract: { taskId: "task-1", title: "Do something else", acceptanceCriteria: ["so"] },
});

describe("the same idempotency key", () => {
  it("[DIS-15] creates one pipeline for fifty concurrent submissions of a task", async () => {
    const hub = await testHub();
    const dev = new TestAgent(hub, { packId: "dev" });
    const answers = await Promise.all(Array.from({ length: 50 }, () => hub.submitTask(ada, task())));
    const ids = new Set(answers.map(({ pipeline }) => pipeline?.pipelineId));
    expect(ids.size).toBe(1);
    expect(answers.filter(({ existing }) => !existing)).toHaveLength(1);
    const [pipelineId = ""] = ids;
    const done = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(done.stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1]);
    expect(dev.envelopes).toHaveLength(1);
  });

  it("[DIS-15] is refused for another task, also when both come at once", async () => {
    const hub = await testHub();
    const [first, second] = await Promise.allSettled([
      hub.submitTask(ada, task()),
      hub.submitTask(ada, other),
    ]);
    expect(first).toMatchObject({ status: "fulfilled", value: { existing: false } });
    expect(second).toMatchObject({
      status: "rejected",
      reason: {
        kind: "exists",
        code: "BATON-PIPELINE-005",
        violations: [{ field: "idempotency_key" }],
        fix: expect.stringContaining("a new key"),
      },
    });
    expect(await hub.submitTask(ada, task())).toMatchObject({ existing: true });
  });

  it("[DIS-15] means the same after a restart, whether the pipeline runs or has ended", async () => {
    const lives = new Lives(openMemoryStore());
    const first = await lives.begin();
    const agent = new TestAgent(first.hub, { packId: "dev" });
    const done = await first.hub.submitTask(ada, task({ idempotencyKey: "done" }));
    const doneId = done.pipeline?.pipelineId ?? "";
    await reaches(first.hub, doneId, PipelineStatus.COMPLETED);
    agent.vanish();
    const waiting = task({ idempotencyKey: "waiting", plan: { case: "taskType", value: "review" } });
    const runs = await first.hub.submitTask(ada, waiting);
    first.kill();

    const { hub } = await lives.begin();
    const again = await hub.submitTask(ada, task({ idempotencyKey: "done" }));
    expect(again).toMatchObject({
      existing: true,
      pipeline: { pipelineId: doneId, status: PipelineStatus.COMPLETED, revision: expect.anything() },
    });
    const stillRuns = await hub.submitTask(ada, waiting);
    expect(stillRuns).toMatchObject({
      existing: true,
      pipeline: { pipelineId: runs.pipeline?.pipelineId, status: PipelineStatus.RUNNING },
    });
    for (const idempotencyKey of ["done", "waiting"]) {
      const refused = await refusalOf(hub.submitTask(ada, { ...other, idempotencyKey }));
      expect(refused.kind).toBe("exists");
    }
  });

  it("[DIS-15] returns the first answer after the deadline has passed, also after a restart", async () => {
    const clock = new VirtualClock();
    const lives = new Lives(openMemoryStore(), { clock });
    const first = await lives.begin();
    const due = task({ deadline: timestampFromMs(clock.nowMs() + 60_000) });
    const { pipeline } = await first.hub.submitTask(ada, due);
    await clock.pass(120_000);
    const late = task({ idempotencyKey: "late", deadline: due.deadline ?? {} });
    const changed = { ...other, deadline: due.deadline };
    const ask = async (hub: Hub) => {
      expect(await hub.submitTask(ada, due)).toMatchObject({
        existing: true,
        pipeline: { pipelineId: pipeline?.pipelineId },
      });
      expect(await refusalOf(hub.submitTask(ada, changed))).toMatchObject({
        kind: "exists",
        code: "BATON-PIPELINE-005",
      });
      for (const request of [late, { ...due, validateOnly: true }]) {
        expect(await refusalOf(hub.submitTask(ada, request))).toMatchObject({
          kind: "invalid",
          violations: [{ field: "deadline", rule: "deadline.after_now" }],
        });
      }
    };
    await ask(first.hub);
    first.kill();
    await ask((await lives.begin()).hub);
  });

  it("[DIS-15] returns the first answer when the template was removed", async () => {
    const lives = new Lives(openMemoryStore());
    const policy = create(PipelinePolicySchema);
    const template = { templateId: "t", name: "T", description: "", stages: stages({ a: {} }), policy };
    const first = await lives.begin({ templates: new Map([["t", template]]) });
    const byTemplate = task({ plan: { case: "templateId", value: "t" } });
    const { pipeline } = await first.hub.submitTask(ada, byTemplate);
    first.kill();
    const { hub } = await lives.begin();
    expect(await hub.submitTask(ada, byTemplate)).toMatchObject({
      existing: true,
      pipeline: { pipelineId: pipeline?.pipelineId, templateId: "t" },
    });
    const changed = { ...other, plan: byTemplate.plan };
    expect((await refusalOf(hub.submitTask(ada, changed))).kind).toBe("exists");
    const fresh = { ...byTemplate, idempotencyKey: "another" };
    expect((await refusalOf(hub.submitTask(ada, fresh))).code).toBe("BATON-SUBMIT-001");
  });

  it("[DIS-15] also compares fields that only programs set", async () => {
    const lives = new Lives(openMemoryStore());
    const odd = () =>
      task({
        plan: planOf(stages({ a: { inputMapping: { whole: "{{input.odd}}" } } })),
        inputs: { odd: { __proto__: null, $typeName: "x", nested: [{ $message: 1 }] } },
      });
    const first = await lives.begin();
    await first.hub.submitTask(ada, odd());
    first.kill();
    const { hub } = await lives.begin();
    expect(await hub.submitTask(ada, odd())).toMatchObject({ existing: true });
  });

  it("[DIS-15] names another pipeline for another tenant", async () => {
    const hub = await testHub();
    const bob = { ...ada, tenantId: "globex" };
    const mine = await hub.submitTask(ada, task());
    const theirs = await hub.submitTask(bob, other);
    expect(theirs.existing).toBe(false);
    expect(theirs.pipeline?.pipelineId).not.toBe(mine.pipeline?.pipelineId);
    const colliding = await Promise.all(
      [
        ["a", "b:c"],
        ["a:b", "c"],
      ].map(([tenantId = "", idempotencyKey = ""]) =>
        hub.submitTask({ ...ada, tenantId }, task({ idempotencyKey })),
      ),
    );
    expect(colliding.map(({ existing }) => existing)).toEqual([false, false]);
  });

  it("is not consumed by a validate-only submission", async () => {
    const hub = await testHub();
    const checked = await hub.submitTask(ada, { ...task(), validateOnly: true });
    expect(checked.pipeline?.stages.map(({ stageId }) => stageId)).toEqual(["code"]);
    expect(await hub.submitTask(ada, task())).toMatchObject({ existing: false });
  });
});
