import type { AgentInstance } from "@baton/contract/messages";
import { registry } from "../../hub/client.ts";
import { readPages } from "../../hub/read-pages.ts";
import { type Live, useLive } from "../../hub/use-live.ts";

/** A lease that runs out and a breaker that may be tried again change nothing but the time. */
const lookMs = 5_000;
/** So many instances are shown at the most; those that are gone come last. */
export const mostInstances = 1_000;

/** So many ended attempts are read of each instance: all that the hub remembers. */
const recentAttempts = 20;

export interface Pack {
  readonly packId: string;
  readonly instances: readonly AgentInstance[];
}

export interface Fleet {
  readonly packs: readonly Pack[];
  readonly hasMore: boolean;
}

export function useAgents(): Live<Fleet> {
  return useLive(
    "agents",
    async (signal) => {
      const { rows: agents, hasMore } = await readPages(mostInstances, async (place) => {
        const { agents: rows, nextPageToken } = await registry.listAgents(
          { ...place, recentAttempts },
          { signal },
        );
        return { rows, nextPageToken };
      });
      const byPack = Map.groupBy(agents, ({ heartbeat }) => heartbeat?.packId ?? "");
      return { packs: [...byPack].map(([packId, instances]): Pack => ({ packId, instances })), hasMore };
    },
    { touches: () => false, changeHints: ({ fleet }) => fleet, everyMs: lookMs },
  );
}
