import { addAmounts, dayOf, noAmounts } from "../../spend-limits.ts";
import {
  type FleetState,
  findInstance,
  type PinnedTool,
  packOf,
  pinOf,
  raisedOn,
  scopeKey,
} from "./fleet-state.ts";
import { endDispatch, startDispatch } from "./fold-dispatch.ts";
import { endLease, forgetInstance, loseStream, setConduct, takeHeartbeat } from "./fold-instance.ts";
import type { FleetRecord, RecordOf } from "./record.ts";
import { overturn } from "./work.ts";

/**
 * Folds a record into the fleet: changes the given state and returns it (docs/decisions/0012). Accepts records whose
 * predecessors are missing, because only some kinds are stored and replayed after a restart.
 */
export function evolveFleet(state: FleetState, record: FleetRecord): FleetState {
  switch (record.kind) {
    case "manifest-registered":
      addManifest(state, record);
      break;
    case "heartbeat-taken":
      takeHeartbeat(state, record);
      break;
    case "lease-ended":
      endLease(state, record);
      break;
    case "stream-lost":
      loseStream(state, record);
      break;
    case "instance-forgotten":
      forgetInstance(state, record);
      break;
    case "dispatched":
      startDispatch(state, record);
      break;
    case "settled":
      endDispatch(state, record.dispatchId, record);
      break;
    case "attempt-overturned":
      overturnAttempt(state, record);
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
    case "spend-raised":
      raiseSpend(state, record);
      break;
    case "tool-pinned":
    case "tool-changed":
      pinTool(state, record);
      break;
  }
  return state;
}

/** Holds for one day: raises of earlier days are gone. */
function raiseSpend(state: FleetState, { amounts, atMs }: RecordOf<"spend-raised">): void {
  const day = dayOf(atMs);
  const before = raisedOn(state, day);
  state.raised = { day, ...addAmounts(before, { ...noAmounts, ...amounts }) };
}

function pinTool(state: FleetState, record: RecordOf<"tool-pinned" | "tool-changed">): void {
  const { packId, name, definition, atMs } = record;
  const before = pinOf(state, packId, name);
  const tools = state.pins.get(packId) ?? new Map<string, PinnedTool>();
  state.pins.set(packId, tools);
  if (before === undefined) state.pinCount++;
  if (record.kind === "tool-pinned")
    tools.set(name, { packId, name, accepted: definition, by: record.by, atMs });
  else if (before) tools.set(name, { ...before, changed: definition, changedAtMs: atMs });
}

function addManifest(state: FleetState, { manifest }: RecordOf<"manifest-registered">): void {
  const { packId, packVersion } = manifest;
  const { knownPackIds } = state;
  const { manifests } = packOf(state, packId);
  if (manifests.size === 0)
    knownPackIds.splice(knownPackIds.findLastIndex((other) => other < packId) + 1, 0, packId);
  manifests.set(packVersion, manifest);
}

function overturnAttempt(state: FleetState, record: RecordOf<"attempt-overturned">): void {
  const instance = findInstance(state, record.packId, record.instanceId);
  if (instance) overturn(instance, record.dispatchId, record.error);
}

function moveBreaker(state: FleetState, { scope, breaker }: RecordOf<"breaker-moved">): void {
  const isClean = breaker.state === "closed" && breaker.failuresMs.length === 0;
  if (isClean) state.breakers.delete(scopeKey(scope));
  else state.breakers.set(scopeKey(scope), { scope, breaker });
}
