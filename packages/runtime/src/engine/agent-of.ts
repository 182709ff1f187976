import { type PipelineState, sentOf } from "@baton/kernel";
import { LRUCache } from "lru-cache";
import { recordsOf } from "../journal/read-records.ts";
import type { JournalStore } from "../ports/store.ts";
import { pipelineOf } from "../ports/stored-command.ts";
import type { Engine } from "./engine.ts";

/** Finds the agent of a current or past attempt. */
export type AgentOf = (
  tenantId: string,
  dispatchId: string,
) => Promise<{ readonly packId: string; readonly instanceId: string }>;

/** Attempts whose agents are cached. */
const maxCached = 10_000;

type Agent = Awaited<ReturnType<AgentOf>>;

const noAgent: Agent = { packId: "", instanceId: "" };

/** Searches the pipelines in memory, then the journal. */
export function findAgents(engine: Engine, store: Pick<JournalStore, "journal">): AgentOf {
  const known = new LRUCache<string, Agent>({ max: maxCached });
  return async (tenantId, dispatchId) => {
    if (dispatchId === "") return noAgent;
    const key = `${tenantId}\n${dispatchId}`;
    const found = known.get(key) ?? (await findAgent(engine, store, tenantId, dispatchId));
    // An attempt may begin later, so only agents that were found are cached.
    if (found !== noAgent) known.set(key, found);
    return found;
  };
}

async function findAgent(
  engine: Engine,
  store: Pick<JournalStore, "journal">,
  tenantId: string,
  dispatchId: string,
): Promise<Agent> {
  const pipelineId = pipelineOf(dispatchId);
  const state = await engine.pipeline(pipelineId);
  if (state?.tenantId !== tenantId) return noAgent;
  const choice = choiceIn(state, dispatchId) ?? (await choiceOnRecord(store, pipelineId, dispatchId));
  return choice ? { packId: choice.packId, instanceId: choice.instanceId } : noAgent;
}

function choiceIn({ stages }: PipelineState, dispatchId: string): Agent | undefined {
  for (const stage of stages) {
    const sent = sentOf(stage);
    if (sent?.dispatchId === dispatchId) return sent.choice;
  }
  return undefined;
}

async function choiceOnRecord(
  store: Pick<JournalStore, "journal">,
  pipelineId: string,
  dispatchId: string,
): Promise<Agent | undefined> {
  const records = await recordsOf({ store }, pipelineId);
  const dispatched = records.find(
    (record) => record.type === "dispatched" && record.dispatchId === dispatchId,
  );
  return dispatched?.type === "dispatched" ? dispatched.choice : undefined;
}
