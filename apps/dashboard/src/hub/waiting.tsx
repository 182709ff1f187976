import type { Escalation } from "@baton/contract/messages";
import { createContext, type ReactNode, useContext } from "react";
import { readWaiting } from "./read-waiting.ts";
import { fallbackMs, type Live, useLive } from "./use-live.ts";

interface Waits extends Live<readonly Escalation[]> {
  /** Whether more wait than are shown. */
  readonly hasMore: boolean;
}

/** What waits for a person, for whoever shows it: the inbox, the count beside its name, the marks on runs. */
const Waiting = createContext<Waits>({
  value: undefined,
  hasMore: false,
  problem: undefined,
  refresh: () => {},
});

export function WaitingProvider({ children }: { readonly children: ReactNode }) {
  const { value, ...live } = useLive("waiting", readWaiting, {
    touches: () => false,
    stirs: ({ inbox }) => inbox,
    everyMs: fallbackMs,
  });
  return (
    <Waiting value={{ ...live, value: value?.rows, hasMore: value?.hasMore ?? false }}>{children}</Waiting>
  );
}

export function useWaiting(): Waits {
  return useContext(Waiting);
}

/** What waits in one run. */
export function useWaitingIn(pipelineId: string): readonly Escalation[] {
  return (useWaiting().value ?? []).filter((one) => one.pipelineId === pipelineId);
}
