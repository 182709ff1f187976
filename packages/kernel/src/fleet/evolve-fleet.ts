import { type FleetState, packOf, scopeKey } from "./fleet-state.ts";
import { endDispatch, startDispatch } from "./fold-dispatch.ts";
import { endLease, forgetInstance, setConduct, takeHeartbeat } from "./fold-instance.ts";
import type { FleetRecord, RecordOf } from "./record.ts";

/**
 * Folds a record into the fleet. Changes the state it is given and returns the same one (docs/decisions/0012).
 * Takes records whose predecessors were not stored: after a restart it is handed only the ones that are.
 */
export function evolveFleet(state: FleetState, record: FleetRecord): FleetState {
  switch (record.kind) {
    case "manifest-registered":
      learnManifest(state, record);
      break;
    case "heartbeat-taken":
      takeHeartbeat(state, record);
      break;
    case "lease-ended":
      endLease(state, record);
      break;
    case "instance-forgotten":
      forgetInstance(state, record);
      break;
    case "dispatched":
      startDispatch(state, record);
      break;
    case "settled":
      endDispatch(state, record.dispatchId);
      break;
    case "conduct-inherited":
    case "conduct-noted":
    case "quarantined":
    case "restored":
      setConduct(state, record);
      break;
    case "breaker-moved":
      moveBreaker(state, record);
      break;
    case "stopped":
      state.halt = { by: record.by, reason: record.reason, atMs: record.atMs };
      break;
    case "started":
      state.halt = undefined;
      break;
  }
  return state;
}

function learnManifest(state: FleetState, { manifest }: RecordOf<"manifest-registered">): void {
  const { packId, packVersion } = manifest;
  const { knownPackIds } = state;
  const { manifests } = packOf(state, packId);
  if (manifests.size === 0)
    knownPackIds.splice(knownPackIds.findLastIndex((other) => other < packId) + 1, 0, packId);
  manifests.set(packVersion, manifest);
}

function moveBreaker(state: FleetState, { scope, breaker }: RecordOf<"breaker-moved">): void {
  const isClean = breaker.state === "closed" && breaker.failuresMs.length === 0;
  if (isClean) state.breakers.delete(scopeKey(scope));
  else state.breakers.set(scopeKey(scope), { scope, breaker });
}
