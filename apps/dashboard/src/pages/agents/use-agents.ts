import type { AgentInstance } from "@baton/contract/messages";
import { registry } from "../../hub/client.ts";
import { readPages } from "../../hub/read-pages.ts";
import { type Live, useLive } from "../../hub/use-live.ts";

/** Expired leases and half-open breakers cause no change hint. */
const pollMs = 5_000;
/** Instances that are gone come last. */
export const maxInstances = 1_000;

/** The number of ended attempts that the hub keeps per instance. */
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
      const { rows: agents, hasMore } = await readPages(maxInstances, async (place) => {
        const { agents: rows, nextPageToken } = await registry.listAgents(
          { ...place, recentAttempts },
          { signal },
        );
        return { rows, nextPageToken };
      });
      const byPack = Map.groupBy(agents, ({ heartbeat }) => heartbeat?.packId ?? "");
      return { packs: [...byPack].map(([packId, instances]): Pack => ({ packId, instances })), hasMore };
    },
    { touches: () => false, changeHints: ({ fleet }) => fleet, everyMs: pollMs },
  );
}
