import { defaultFleetSettings } from "../settings.ts";
import type { FleetState } from "../state/fleet-state.ts";
import { decideDispatched, decideOverturned, decideSettled } from "./decide-dispatch.ts";
import { decideHalt } from "./decide-halt.ts";
import { decideHeartbeat } from "./decide-heartbeat.ts";
import { decideDetach, decideStreamLost, decideTick } from "./decide-lease.ts";
import { decideRaise } from "./decide-raise.ts";
import { decideRegister, decideRegisterAll } from "./decide-register.ts";
import { decideClaims, decideRestore, decideResult } from "./decide-standing.ts";
import { decideAcceptTool, decidePin } from "./decide-tools.ts";
import type { FleetDecision } from "./decision.ts";
import type { FleetInput, FleetWorld, FullFleetWorld } from "./input.ts";

/** Decides an input. Does not change the state: `evolveFleet` does, record by record. */
export function decideFleet(state: FleetState, input: FleetInput, given: FleetWorld): FleetDecision {
  const { nowMs, orchestratorVersion, settings = defaultFleetSettings } = given;
  const world: FullFleetWorld = { nowMs, orchestratorVersion, settings };
  switch (input.kind) {
    case "register":
      return decideRegister(state, input, world);
    case "register-all":
      return decideRegisterAll(state, input, world);
    case "heartbeat":
      return decideHeartbeat(state, input, world);
    case "stream-lost":
      return decideStreamLost(state, input);
    case "detach":
      return decideDetach(state, input, world);
    case "tick":
      return decideTick(state, world);
    case "dispatched":
      return decideDispatched(state, input, world);
    case "settled":
      return decideSettled(state, input, world);
    case "overturned":
      return decideOverturned(state, input);
    case "result":
      return decideResult(state, input, world);
    case "claims":
      return decideClaims(state, input, world);
    case "restore":
      return decideRestore(state, input, world);
    case "stop":
    case "start":
      return decideHalt(state, input, world);
    case "raise-spend":
      return decideRaise(input, world);
    case "pin-tools":
      return decidePin(state, input, world);
    case "accept-tool":
      return decideAcceptTool(state, input, world);
  }
}
