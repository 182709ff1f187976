import { EventSchema, RunAgentResponseSchema, TaskEnvelopeSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { calm, settles } from "../../../testing/index.ts";
import { defaultRoomLimits, WaitingRoom } from "../../hub/waiting-room.ts";
import { Run } from "./run.ts";

it("[TUR-04] hands on nothing that waited for room until it was closed: its agent says it again to the next call", async () => {
  const room = new WaitingRoom({ ...defaultRoomLimits, bytes: 1 });
  const leave = room.enter("acme", 1);
  const taken: string[] = [];
  const event = create(EventSchema, { eventId: "5b8f3c9e-7f0a-4a52-8a51-000000000001" });
  const message = create(RunAgentResponseSchema, { message: { case: "event", value: event } });
  async function* said() {
    yield { kind: "message", message, bytes: 1 } as const;
  }
  const run = new Run(
    {
      driver: { give: () => new Promise(() => {}) },
      desk: {
        take: async (_from, dispatchId) => void taken.push(dispatchId),
        answer: () => Promise.reject(new Error("nobody answers it")),
      },
      room,
      limits: { runMessages: 10, runBytes: 1_000, outstanding: 1, lingerMs: 1 },
      after: () => () => {},
      plain: (text) => text,
    },
    { tenantId: "acme", packId: "dev", instanceId: "dev-1" },
    {
      run: async () => said(),
      cancel: () => Promise.reject(new Error("nobody cancels it")),
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
  expect(room.heldBytes).toBe(0);
});
