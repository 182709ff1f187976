import type { Escalation } from "@baton/contract/messages";
import { createContext, type ReactNode, useContext } from "react";
import { orchestrator } from "./client.ts";
import { readPages } from "./read-pages.ts";
import { fallbackMs, type Live, useLive } from "./use-live.ts";

/** What waits for a person, for whoever shows it: the inbox, the count beside its name, the marks on runs. */
const Waiting = createContext<Live<readonly Escalation[]>>({
  value: undefined,
  problem: undefined,
  refresh: () => {},
});

const most = 500;

export function WaitingProvider({ children }: { readonly children: ReactNode }) {
  const live = useLive(
    "waiting",
    async (signal) => {
      const { rows } = await readPages(most, async (place) => {
        const request = { filter: "resolved = false", ...place };
        const { escalations, nextPageToken } = await orchestrator.listEscalations(request, { signal });
        return { rows: escalations, nextPageToken };
      });
      return rows;
    },
    { touches: () => false, stirs: ({ inbox }) => inbox, everyMs: fallbackMs },
  );
  return <Waiting value={live}>{children}</Waiting>;
}

export function useWaiting(): Live<readonly Escalation[]> {
  return useContext(Waiting);
}

/** What waits in one run. */
export function useWaitingIn(pipelineId: string): readonly Escalation[] {
  return (useWaiting().value ?? []).filter((one) => one.pipelineId === pipelineId);
}
