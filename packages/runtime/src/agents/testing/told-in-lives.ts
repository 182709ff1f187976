/** An agent that speaks to one life of a hub after another. */
import type { TaskEnvelope } from "@baton/contract";
import { expect, onTestFinished } from "vitest";
import { dispatchOf, Lives, silent, submit, TestAgent } from "../../../testing/index.ts";
import type { HubParts } from "../../hub/create-hub.ts";
import type { Hub } from "../../hub/hub.ts";
import type { Store } from "../../ports/store.ts";
import { openMemoryStore } from "../../stores/index.ts";
import { openForTest, scratchForTest } from "../../stores/sqlite/testing/scratch.ts";
import { eventsSeen, isTaken, type Said } from "./told.ts";

/** Says and answers only what a test says. */
export const silentDev = { packId: "dev", answer: silent } as const;

/** What outlives a hub, by name. */
export const lastingStores: readonly (readonly [string, () => Promise<Store>])[] = [
  ["memory", async () => openMemoryStore()],
  ["SQLite", () => openForTest(scratchForTest())],
];

/** What somebody does with the pipeline of an agent that has spoken. */
export type Deed = (hub: Hub, pipelineId: string, agent: TestAgent, envelope: TaskEnvelope) => Promise<void>;

export interface LivesGiven {
  readonly store: Store;
  readonly hubParts?: Partial<HubParts>;
  /** Done at the end of the first life. */
  readonly deed?: Deed | undefined;
}

/** What is said to each life, which is killed when it has acknowledged everything; the last one goes on. */
export async function inLives({ store, hubParts, deed }: LivesGiven, ...parts: readonly (readonly Said[])[]) {
  const lives = new Lives(store, hubParts);
  let life = await lives.begin();
  let agent = new TestAgent(life.hub, silentDev);
  const pipelineId = await submit(life.hub);
  const envelope: TaskEnvelope = await agent.envelope();
  const dispatchId = dispatchOf(envelope);
  for (const [place, said] of parts.entries()) {
    if (place > 0) {
      life.kill();
      agent.vanish();
      life = await lives.begin();
      agent = new TestAgent(life.hub, silentDev, [dispatchId]);
    }
    for (const one of said) agent.say(one, dispatchId);
    if (said.length === 0) agent.beat();
    await isTaken(agent);
    if (place === 0) await deed?.(life.hub, pipelineId, agent, envelope);
  }
  const { hub } = life;
  onTestFinished(() => hub.drain(0));
  return { hub, agent, envelope, pipelineId };
}

export async function expectNoneTwice(hub: Pick<Hub, "watchEvents">): Promise<void> {
  const ids = (await eventsSeen(hub)).map(({ event }) => event?.eventId);
  expect(ids).toHaveLength(new Set(ids).size);
}
