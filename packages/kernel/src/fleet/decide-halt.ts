import { auditHalt } from "./audit.ts";
import { type FleetDecision, refuse } from "./decision.ts";
import type { FleetState } from "./fleet-state.ts";
import type { InputOf, SettledWorld } from "./input.ts";
import { problem } from "./problem.ts";

/** A person stops the tenant, or lets it go on. Either has a name and a reason behind it (PIP-10). */
export function decideHalt(
  state: FleetState,
  { kind, by, reason }: InputOf<"stop" | "start">,
  { nowMs: atMs }: SettledWorld,
): FleetDecision {
  const isStopped = state.halt !== undefined;
  if (isStopped === (kind === "stop"))
    return refuse(problem("BATON-FLEET-011", "", `the tenant is ${isStopped ? "already" : "not"} stopped`));
  if (by === "" || reason === "")
    return refuse(
      problem(
        "BATON-FLEET-011",
        "reason",
        `a tenant is ${kind === "stop" ? "stopped" : "started"} by somebody and for a reason`,
      ),
    );
  const halt = { by, reason, atMs };
  return {
    records: [{ kind: kind === "stop" ? "stopped" : "started", ...halt }],
    audit: [auditHalt(kind, by, reason)],
  };
}
