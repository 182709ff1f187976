import { EventSchema, RunAgentResponseSchema, TaskEnvelopeSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { calm, settles } from "../../../testing/index.ts";
import { defaultIntakeLimits, IntakeBuffer } from "../../engine/intake-buffer.ts";
import { Run } from "./run.ts";

it("[TUR-04] drops reports that waited for room when it closes: the agent repeats them in the next call", async () => {
  const intake = new IntakeBuffer({ ...defaultIntakeLimits, bytes: 1 });
  const leave = intake.enter("acme", 1);
  const taken: string[] = [];
  const event = create(EventSchema, { eventId: "5b8f3c9e-7f0a-4a52-8a51-000000000001" });
  const message = create(RunAgentResponseSchema, { message: { case: "event", value: event } });
  async function* messages() {
    yield { kind: "message", message, bytes: 1 } as const;
  }
  const run = new Run(
    {
      engine: { enqueue: () => new Promise(() => {}) },
      reports: {
        take: async (_from, dispatchId) => void taken.push(dispatchId),
        answer: () => Promise.reject(new Error("no result comes")),
      },
      intake,
      limits: { runMessages: 10, runBytes: 1_000, outstanding: 1, lingerMs: 1 },
      after: () => () => {},
      plain: (text) => text,
    },
    { tenantId: "acme", packId: "dev", instanceId: "dev-1" },
    {
      run: async () => messages(),
      cancel: () => Promise.reject(new Error("no cancel comes")),
      close: () => {},
    },
    create(TaskEnvelopeSchema),
    "p/task/1",
  );
  await run.accepted;
  await calm();
  run.close();
  leave();
  await settles(run.ended, "the end of the call");
  expect(taken).toEqual([]);
  expect(intake.heldBytes).toBe(0);
});
