import type { AgentInstance } from "@baton/contract/messages";
import { registry } from "../../hub/client.ts";
import { type Live, useLive } from "../../hub/use-live.ts";

/** Heartbeats are no events, so there is a look now and then. */
const lookMs = 3_000;
const most = 1_000;

export interface Pack {
  readonly packId: string;
  readonly instances: readonly AgentInstance[];
}

export function useAgents(): Live<readonly Pack[]> {
  return useLive(
    "agents",
    async (signal) => {
      const { agents } = await registry.listAgents({ pageSize: most }, { signal });
      const packs = Map.groupBy(agents, ({ heartbeat }) => heartbeat?.packId ?? "");
      return [...packs].map(([packId, instances]): Pack => ({ packId, instances }));
    },
    { everyMs: lookMs },
  );
}
