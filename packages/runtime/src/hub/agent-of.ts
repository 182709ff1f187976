import { type PipelineState, sentOf } from "@baton/kernel";
import type { Driver } from "../driver/driver.ts";
import { pipelineOf } from "../driver/order.ts";
import type { Store } from "../ports/store.ts";
import { recordsOf } from "./read-records.ts";
import type { AgentOf } from "./watch-filter.ts";

/** Attempts whose agents are remembered; those of one pipeline are mostly asked for together. */
const most = 10_000;

type Agent = Awaited<ReturnType<AgentOf>>;

const nobody: Agent = { packId: "", instanceId: "" };

/** Finds who has, or had, an attempt: in what the hub has in memory, else in the journal of its pipeline. */
export function findAgents(driver: Driver, store: Store): AgentOf {
  const known = new Map<string, Agent>();
  return async (tenantId, dispatchId) => {
    if (dispatchId === "") return nobody;
    const key = `${tenantId}\n${dispatchId}`;
    const found = known.get(key) ?? (await findAgent(driver, store, tenantId, dispatchId));
    // An attempt that is not made yet may be made later, so only a finding is kept.
    if (found === nobody) return nobody;
    if (known.size >= most) known.clear();
    known.set(key, found);
    return found;
  };
}

async function findAgent(driver: Driver, store: Store, tenantId: string, dispatchId: string): Promise<Agent> {
  const pipelineId = pipelineOf(dispatchId);
  const state = await driver.pipeline(pipelineId);
  if (state?.tenantId !== tenantId) return nobody;
  const choice = choiceIn(state, dispatchId) ?? (await choiceOnRecord(store, pipelineId, dispatchId));
  return choice ? { packId: choice.packId, instanceId: choice.instanceId } : nobody;
}

function choiceIn({ stages }: PipelineState, dispatchId: string): Agent | undefined {
  for (const stage of stages) {
    const sent = sentOf(stage);
    if (sent?.dispatchId === dispatchId) return sent.choice;
  }
  return undefined;
}

async function choiceOnRecord(
  store: Store,
  pipelineId: string,
  dispatchId: string,
): Promise<Agent | undefined> {
  const records = await recordsOf({ store }, pipelineId);
  const dispatched = records.find(
    (record) => record.type === "dispatched" && record.dispatchId === dispatchId,
  );
  return dispatched?.type === "dispatched" ? dispatched.choice : undefined;
}
