import type { AttemptSummary, GetAttemptChangesResponse } from "@baton/contract/messages";
import { inspection } from "../../hub/client.ts";
import { type Live, useLive } from "../../hub/use-live.ts";

/** What an attempt changed, once it is over or under review. */
export function useChanges(summary: AttemptSummary | undefined): Live<GetAttemptChangesResponse> {
  const dispatchId = summary?.dispatchId ?? "";
  return useLive(
    `changes ${dispatchId}`,
    (signal) => inspection.getAttemptChanges({ dispatchId }, { signal }),
    { touches: (record) => record.dispatchId === dispatchId, disabled: !summary?.receivedAt },
  );
}
