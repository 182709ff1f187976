import {
  AbortPipelineRequestSchema,
  CacheMode,
  IssuerKind,
  Outcome,
  PipelineStatus,
  PressureLevel,
  ResponseStatus,
  type TaskEnvelope,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ada, dispatchOf, ended, reaches, read, submit, TestAgent, testHub } from "../../../testing/index.ts";
import { pipelineOf } from "../../ports/stored-command.ts";

const success = { response: { status: ResponseStatus.SUCCESS, data: { text: "so" } } };
const failure = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no" } };
let tasks = 0;

/** A task of one of two keys. */
function governed(topic: number) {
  tasks++;
  return {
    idempotencyKey: `one-${tasks}`,
    contract: { taskId: `one-${tasks}`, title: "Write it", acceptanceCriteria: ["it is written"] },
    inputs: { topic },
    governance: {
      ...{ sapVersion: "2.0", taskId: `one-${tasks}`, correlationId: `c-${tasks}` },
      issuer: { agentId: "ada", kind: IssuerKind.USER },
      pressureLevel: PressureLevel.INSTANT,
      cachePolicy: { mode: CacheMode.PREFER },
    },
  };
}

const anyStep = fc.record({
  kind: fc.constantFrom("submit", "submit", "submit", "succeed", "fail", "abort"),
  topic: fc.nat(1),
  which: fc.nat(20),
});

it("[SAP-05] a key is never executed twice at the same time, whatever is submitted, answered and aborted; and every task ends", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 14 }), async (steps) => {
      const hub = await testHub();
      const open = new Map<string, TaskEnvelope>();
      const aborted = new Set<string>();
      let most = 0;
      const agent = new TestAgent(hub, {
        packId: "dev",
        maxTasks: 100,
        answer: (envelope) => {
          // It may arrive after its run was aborted.
          if (aborted.has(pipelineOf(dispatchOf(envelope)))) return undefined;
          open.set(dispatchOf(envelope), envelope);
          const same = [...open.values()].filter(({ inputs }) => inputs?.topic === envelope.inputs?.topic);
          most = Math.max(most, same.length);
          return undefined;
        },
      });
      await agent.receive("welcome");
      const ids: string[] = [];
      const answer = async (envelope: TaskEnvelope, result: object) => {
        open.delete(dispatchOf(envelope));
        agent.answer(envelope, result);
        await reaches(hub, pipelineOf(dispatchOf(envelope)), ...ended, PipelineStatus.PAUSED);
      };
      for (const { kind, topic, which } of steps) {
        const envelopes = [...open.values()];
        const envelope = envelopes[which % Math.max(1, envelopes.length)];
        if (kind === "submit") ids.push(await submit(hub, governed(topic)));
        else if (kind === "abort" && ids.length > 0) {
          const pipelineId = ids[which % ids.length] ?? "";
          const { status } = await read(hub, pipelineId);
          if (ended.some((one) => one === status)) continue;
          aborted.add(pipelineId);
          // The agent drops what is cancelled.
          for (const id of open.keys()) if (pipelineOf(id) === pipelineId) open.delete(id);
          await hub.abortPipeline(ada, create(AbortPipelineRequestSchema, { pipelineId, reason: "drawn" }));
        } else if (envelope) await answer(envelope, kind === "fail" ? failure : success);
      }
      const isOpen = async (id: string) => {
        const { status } = await read(hub, id);
        return status === PipelineStatus.RUNNING;
      };
      for (;;) {
        for (const envelope of [...open.values()]) await answer(envelope, success);
        const left = await Promise.all(ids.map(isOpen));
        if (!left.includes(true)) break;
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(most).toBeLessThanOrEqual(1);
      await hub.drain(0);
    }),
    { numRuns: 30 },
  );
});
