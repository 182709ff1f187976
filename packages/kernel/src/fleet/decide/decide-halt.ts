import type { FleetState } from "../state/fleet-state.ts";
import { auditHalt } from "./audit.ts";
import { type FleetDecision, refuse } from "./decision.ts";
import type { FullFleetWorld, InputOf } from "./input.ts";
import { problem } from "./problem.ts";

/** An operator stops or starts the tenant, and states a name and a reason (PIP-10). */
export function decideHalt(
  state: FleetState,
  { kind, by, reason }: InputOf<"stop" | "start">,
  { nowMs: atMs }: FullFleetWorld,
): FleetDecision {
  const isStopped = state.halt !== undefined;
  if (isStopped === (kind === "stop"))
    return refuse(problem("BATON-FLEET-011", "", `the tenant is ${isStopped ? "already" : "not"} stopped`));
  if (by === "" || reason === "")
    return refuse(
      problem(
        "BATON-FLEET-011",
        "reason",
        `${kind === "stop" ? "stopping" : "starting"} a tenant requires a name and a reason`,
      ),
    );
  const halt = { by, reason, atMs };
  return {
    records: [{ kind: kind === "stop" ? "stopped" : "started", ...halt }],
    audit: [auditHalt(kind, by, reason)],
  };
}
