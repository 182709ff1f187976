/** An agent that reports to one process of a hub after another. */
import type { TaskEnvelope } from "@baton/contract";
import { expect, onTestFinished } from "vitest";
import { dispatchOf, Lives, silent, submit, TestAgent } from "../../../testing/index.ts";
import type { Hub } from "../../api/hub.ts";
import type { HubParts } from "../../compose/create-hub.ts";
import type { Store } from "../../ports/store.ts";
import { openMemoryStore } from "../../stores/index.ts";
import { openForTest, scratchForTest } from "../../stores/sqlite/testing/scratch.ts";
import { eventsSeen, isTaken, type Report } from "./reports.ts";

/** Reports and answers only what a test calls. */
export const silentDev = { packId: "dev", answer: silent } as const;

/** Stores that outlive a hub, by name. */
export const durableStores: readonly (readonly [string, () => Promise<Store>])[] = [
  ["memory", async () => openMemoryStore()],
  ["SQLite", () => openForTest(scratchForTest())],
];

/** An action at the end of the first process. */
export type Action = (
  hub: Hub,
  pipelineId: string,
  agent: TestAgent,
  envelope: TaskEnvelope,
) => Promise<void>;

export interface RestartOptions {
  readonly store: Store;
  readonly hubParts?: Partial<HubParts>;
  /** Runs at the end of the first process. */
  readonly action?: Action | undefined;
}

/** Reports to each process, which is killed when it has acknowledged them; the last one goes on. */
export async function overRestarts(
  { store, hubParts, action }: RestartOptions,
  ...parts: readonly (readonly Report[])[]
) {
  const lives = new Lives(store, hubParts);
  let life = await lives.begin();
  let agent = new TestAgent(life.hub, silentDev);
  const pipelineId = await submit(life.hub);
  const envelope: TaskEnvelope = await agent.envelope();
  const dispatchId = dispatchOf(envelope);
  for (const [place, messages] of parts.entries()) {
    if (place > 0) {
      life.kill();
      agent.vanish();
      life = await lives.begin();
      agent = new TestAgent(life.hub, silentDev, [dispatchId]);
    }
    for (const one of messages) agent.say(one, dispatchId);
    if (messages.length === 0) agent.beat();
    await isTaken(agent);
    if (place === 0) await action?.(life.hub, pipelineId, agent, envelope);
  }
  const { hub } = life;
  onTestFinished(() => hub.drain(0));
  return { hub, agent, envelope, pipelineId };
}

export async function expectNoneTwice(hub: Pick<Hub, "watchEvents">): Promise<void> {
  const ids = (await eventsSeen(hub)).map(({ event }) => event?.eventId);
  expect(ids).toHaveLength(new Set(ids).size);
}
