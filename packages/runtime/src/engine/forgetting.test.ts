import { PipelineStatus } from "@baton/contract";
import { expect, it } from "vitest";
import { ada, reaches, submit, TestAgent, TestStore, task, testHub } from "../../testing/index.ts";
import { openMemoryStore } from "../stores/index.ts";

/** Counts what is read of pipelines that are not in memory. */
class CountingStore extends TestStore {
  readonly loaded: string[] = [];

  override journal(pipelineId: string) {
    this.loaded.push(pipelineId);
    return super.journal(pipelineId);
  }
}

it("forgets the oldest pipelines that have ended, also when somebody asks for one of them again", async () => {
  const store = new CountingStore(openMemoryStore());
  const hub = await testHub({ store, limits: { endedKept: 4 } });
  new TestAgent(hub, { packId: "dev", maxTasks: 9 });
  const ids: string[] = [];
  const again = (n: number) => hub.submitTask(ada, task({ idempotencyKey: `key-${n}` }));
  for (let n = 0; n < 12; n++) {
    const id = await submit(hub, { idempotencyKey: `key-${n}` });
    await reaches(hub, id, PipelineStatus.COMPLETED);
    ids.push(id);
    // Nothing moves by it; it was the oldest of those that are kept.
    if (n === 4) expect(await again(1)).toMatchObject({ existing: true });
  }
  store.loaded.length = 0;
  for (const n of [2, 3, 5, 6, 7]) expect(await again(n)).toMatchObject({ existing: true });
  expect(store.loaded).toEqual([2, 3, 5, 6, 7].map((n) => ids[n]));
});
