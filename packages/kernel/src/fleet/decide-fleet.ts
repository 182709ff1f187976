import { decideDispatched, decideSettled } from "./decide-dispatch.ts";
import { decideHalt } from "./decide-halt.ts";
import { decideHeartbeat } from "./decide-heartbeat.ts";
import { decideDetach, decideTick } from "./decide-lease.ts";
import { decideClaims, decideRestore, decideResult } from "./decide-standing.ts";
import type { FleetDecision } from "./decision.ts";
import type { FleetState } from "./fleet-state.ts";
import type { FleetInput, FleetWorld, SettledWorld } from "./input.ts";
import { decideRegister, decideRegisterAll } from "./manifest.ts";
import { defaultFleetSettings } from "./settings.ts";

/** What an input means for the fleet. Changes nothing: `evolveFleet` does, record by record. */
export function decideFleet(state: FleetState, input: FleetInput, given: FleetWorld): FleetDecision {
  const { nowMs, orchestratorVersion, settings = defaultFleetSettings } = given;
  const world: SettledWorld = { nowMs, orchestratorVersion, settings };
  switch (input.kind) {
    case "register":
      return decideRegister(state, input, world);
    case "register-all":
      return decideRegisterAll(state, input, world);
    case "heartbeat":
      return decideHeartbeat(state, input, world);
    case "detach":
      return decideDetach(state, input, world);
    case "tick":
      return decideTick(state, world);
    case "dispatched":
      return decideDispatched(state, input, world);
    case "settled":
      return decideSettled(state, input, world);
    case "result":
      return decideResult(state, input, world);
    case "claims":
      return decideClaims(state, input, world);
    case "restore":
      return decideRestore(state, input, world);
    case "stop":
    case "start":
      return decideHalt(state, input, world);
  }
}
