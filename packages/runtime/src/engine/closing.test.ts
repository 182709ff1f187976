import { expect, it } from "vitest";
import { eventually, noReferences, noVerifier, settles, TestStore } from "../../testing/index.ts";
import { composeHub } from "../compose/compose-hub.ts";
import { systemClock } from "../ports/clock.ts";
import { openMemoryStore } from "../stores/index.ts";

const request = { tenantId: "acme", pipelineId: "p", stageId: "s", dispatchId: "p/s/1", events: [] };

async function open() {
  const store = new TestStore(openMemoryStore());
  const parts = { store, templates: new Map(), orchestratorVersion: "0.1.0" };
  const outside = {
    verifier: noVerifier,
    references: noReferences,
    limits: { retryStore: { firstMs: 1, maxMs: 2 } },
  };
  const { engine } = composeHub({ ...parts, ...outside, policy: undefined }, systemClock());
  await engine.start();
  return { store, engine };
}

it("[TUR-04] events for a closed hub are refused", async () => {
  const { engine } = await open();
  await engine.close();
  await expect(settles(engine.publish(request), "an answer")).rejects.toThrow("the hub is closed");
});

it("[TUR-04] events that wait for an unavailable store are refused when the hub closes", async () => {
  const { store, engine } = await open();
  store.break();
  const call = { ...request, callId: "c", tool: "shell", atMs: 0 };
  const waiting = engine.publish({ ...request, callsBegun: [call] });
  waiting.catch(() => {});
  await eventually("the store to be away", () => engine.unavailableReason !== undefined);
  await engine.close();
  await expect(settles(waiting, "an answer")).rejects.toThrow("the hub is closed");
});
