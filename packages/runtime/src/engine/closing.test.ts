import { expect, it } from "vitest";
import { eventually, noReferences, noVerifier, settles, TestStore } from "../../testing/index.ts";
import { composeHub } from "../compose/compose-hub.ts";
import { systemClock } from "../ports/clock.ts";
import { openMemoryStore } from "../stores/index.ts";

const told = { tenantId: "acme", pipelineId: "p", stageId: "s", dispatchId: "p/s/1", events: [] };

async function open() {
  const store = new TestStore(openMemoryStore());
  const parts = { store, templates: new Map(), orchestratorVersion: "0.1.0" };
  const outside = {
    verifier: noVerifier,
    references: noReferences,
    limits: { retryStoreMs: { first: 1, most: 2 } },
  };
  const { engine } = composeHub({ ...parts, ...outside, policy: undefined }, systemClock());
  await engine.start();
  return { store, engine };
}

it("[TUR-04] what is told to a hub that has closed is refused, and nobody waits for it", async () => {
  const { engine } = await open();
  await engine.close();
  await expect(settles(engine.publish(told), "an answer")).rejects.toThrow("the hub is closed");
});

it("[TUR-04] what waits for a store that is away is refused when the hub closes", async () => {
  const { store, engine } = await open();
  store.break();
  const call = { ...told, callId: "c", tool: "shell", atMs: 0 };
  const waiting = engine.publish({ ...told, callsBegun: [call] });
  waiting.catch(() => {});
  await eventually("the store to be away", () => engine.unavailableReason !== undefined);
  await engine.close();
  await expect(settles(waiting, "an answer")).rejects.toThrow("the hub is closed");
});
