import type { AgentInstance } from "@baton/contract/messages";
import { registry } from "../../hub/client.ts";
import { readPages } from "../../hub/read-pages.ts";
import { type Live, useLive } from "../../hub/use-live.ts";

/** A lease that runs out and a breaker that may be tried again change nothing but the time. */
const lookMs = 5_000;
const most = 1_000;

export interface Pack {
  readonly packId: string;
  readonly instances: readonly AgentInstance[];
}

export function useAgents(): Live<readonly Pack[]> {
  return useLive(
    "agents",
    async (signal) => {
      const { rows: agents } = await readPages(most, async (place) => {
        const { agents: rows, nextPageToken } = await registry.listAgents(place, { signal });
        return { rows, nextPageToken };
      });
      const packs = Map.groupBy(agents, ({ heartbeat }) => heartbeat?.packId ?? "");
      return [...packs].map(([packId, instances]): Pack => ({ packId, instances }));
    },
    { touches: () => false, stirs: ({ fleet }) => fleet, everyMs: lookMs },
  );
}
