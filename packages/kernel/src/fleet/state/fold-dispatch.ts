import { type FleetState, instanceOf, packOf } from "./fleet-state.ts";
import { rank } from "./ranking.ts";
import type { RecordOf } from "./record.ts";
import { noteEnd } from "./work.ts";

export function startDispatch(state: FleetState, record: RecordOf<"dispatched">): void {
  const { dispatchId, packId, instanceId, taskType, startedAtMs, recoveredAtMs } = record;
  const pack = packOf(state, packId);
  const isNew = recoveredAtMs !== undefined && !pack.instances.has(instanceId);
  const instance = isNew ? instanceOf(state, record, recoveredAtMs) : pack.instances.get(instanceId);
  if (!instance || state.dispatches.has(dispatchId)) return;
  if (isNew) state.gone.add(instance); // Until its first heartbeat.
  state.dispatches.set(dispatchId, { packId, instanceId, taskType, startedAtMs });
  instance.dispatchIds.add(dispatchId);
  if (recoveredAtMs !== undefined) instance.knownSinceMs ??= recoveredAtMs;
  if (recoveredAtMs !== undefined && instance.presence === "GONE" && !state.awaited.has(instance))
    state.awaited.set(instance, recoveredAtMs);
  pack.activeDispatches++;
  rank(pack, instance);
}

/** How a dispatch ended. */
type End = Pick<RecordOf<"settled">, "outcome" | "error" | "atMs">;

export function endDispatch(state: FleetState, dispatchId: string, { outcome, error, atMs }: End): void {
  const dispatch = state.dispatches.get(dispatchId);
  if (!dispatch) return;
  state.dispatches.delete(dispatchId);
  const pack = packOf(state, dispatch.packId);
  pack.activeDispatches--;
  const instance = pack.instances.get(dispatch.instanceId);
  if (!instance?.dispatchIds.delete(dispatchId)) return;
  if (instance.dispatchIds.size === 0) state.awaited.delete(instance);
  noteEnd(state, instance, { ...dispatch, dispatchId, endedAtMs: atMs, outcome, error });
  rank(pack, instance);
}
