import type { GetPipelineChangesResponse } from "@baton/contract/messages";
import { inspection } from "../../hub/client.ts";
import { type Live, useLive } from "../../hub/use-live.ts";

/** Everything that a run changed up to an attempt. */
export function useChange(dispatchId: string): Live<GetPipelineChangesResponse> {
  return useLive(
    `change ${dispatchId}`,
    (signal) => inspection.getPipelineChanges({ dispatchId }, { signal }),
    { touches: (record) => record.dispatchId === dispatchId, disabled: dispatchId === "" },
  );
}
