import type { Escalation } from "@baton/contract/messages";
import { createContext, type ReactNode, useContext } from "react";
import { readWaiting } from "./read-waiting.ts";
import { fallbackMs, type Live, useLive } from "./use-live.ts";

interface Waits extends Live<readonly Escalation[]> {
  /** Whether more are open than were read. */
  readonly hasMore: boolean;
}

/** The open questions, shared by the inbox, its count and the marks on runs. */
const Waiting = createContext<Waits>({
  value: undefined,
  hasMore: false,
  problem: undefined,
  refresh: () => {},
});

export function WaitingProvider({ children }: { readonly children: ReactNode }) {
  const { value, ...live } = useLive("waiting", (signal) => readWaiting(signal), {
    touches: () => false,
    changeHints: ({ inbox }) => inbox,
    everyMs: fallbackMs,
  });
  return (
    <Waiting value={{ ...live, value: value?.rows, hasMore: value?.hasMore ?? false }}>{children}</Waiting>
  );
}

export function useWaiting(): Waits {
  return useContext(Waiting);
}

/** The open questions of a run, as far as they were read. */
export function useKnownToWait(pipelineId: string): readonly Escalation[] {
  return (useWaiting().value ?? []).filter((one) => one.pipelineId === pipelineId);
}

/** The open questions of a run. When not all questions were read, those of the run are read separately. */
export function useWaitingIn(pipelineId: string): readonly Escalation[] {
  const { hasMore } = useWaiting();
  const known = useKnownToWait(pipelineId);
  const { value } = useLive(`waiting in ${pipelineId}`, (signal) => readWaiting(signal, pipelineId), {
    touches: (record) => record.pipelineId === pipelineId,
    changeHints: ({ inbox }) => inbox,
    everyMs: fallbackMs,
    disabled: !hasMore,
  });
  return hasMore ? (value?.rows ?? known) : known;
}
