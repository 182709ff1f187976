import { breakerAt, sendThrough } from "./breaker.ts";
import { breakerOf, recordMove, scopesOf, settleAll } from "./breaker-moves.ts";
import { type FleetDecision, nothing, record, refuse } from "./decision.ts";
import { type FleetState, findInstance, isLive } from "./fleet-state.ts";
import type { InputOf, SettledWorld } from "./input.ts";
import { type FleetProblem, overLimit, problem } from "./problem.ts";
import type { FleetRecord } from "./record.ts";

/** Counts a dispatch as under way, and as the probe of every breaker on its way that waits for one. */
export function decideDispatched(
  state: FleetState,
  input: InputOf<"dispatched">,
  world: SettledWorld,
): FleetDecision {
  const { dispatchId, packId, instanceId, taskType } = input;
  const known = state.dispatches.get(dispatchId);
  if (known) {
    if (known.packId === packId && known.instanceId === instanceId && known.taskType === taskType) {
      return nothing;
    }
    const message = `dispatch ${dispatchId} is under way at ${known.packId}/${known.instanceId}`;
    return refuse(problem("BATON-FLEET-009", "dispatch_id", message));
  }
  if (input.recovered) {
    const recoveredAtMs = world.nowMs;
    return record([{ kind: "dispatched", dispatchId, packId, instanceId, taskType, recoveredAtMs }]);
  }
  const fault = unsendable(state, input, world);
  if (fault) return refuse(fault);
  const records: FleetRecord[] = [{ kind: "dispatched", dispatchId, packId, instanceId, taskType }];
  for (const scope of scopesOf(input)) {
    const move = sendThrough(breakerOf(state, scope), dispatchId, world.nowMs);
    if (move) records.push(recordMove(scope, move));
  }
  return record(records);
}

/** A dispatch that is not under way any more was lost or settled before: its end is old news. */
export function decideSettled(
  state: FleetState,
  { dispatchId, outcome }: InputOf<"settled">,
  world: SettledWorld,
): FleetDecision {
  if (!state.dispatches.has(dispatchId)) return nothing;
  return record([{ kind: "settled", dispatchId }, ...settleAll(state, [dispatchId], outcome, world)]);
}

/** Dispatch has looked at all this before; the fleet looks again, because only here it is certain. */
function unsendable(
  state: FleetState,
  input: InputOf<"dispatched">,
  { nowMs, settings }: SettledWorld,
): FleetProblem | undefined {
  const { packId, instanceId } = input;
  const instance = findInstance(state, packId, instanceId);
  const name = `${packId}/${instanceId}`;
  if (!instance) return problem("BATON-FLEET-005", "instance_id", `instance ${name} is not known`);
  if (!isLive(instance, nowMs)) {
    return problem("BATON-FLEET-007", "instance_id", `instance ${name} is gone`);
  }
  if (instance.conduct.standing === "quarantined") {
    return problem("BATON-FLEET-007", "instance_id", `instance ${name} is quarantined`);
  }
  const closed = scopesOf(input).find((scope) => breakerAt(breakerOf(state, scope), nowMs) === "open");
  if (closed) {
    const message = `the breaker of ${closed.kind === "pack" ? "pack" : "task type"} "${closed.id}" is open`;
    return problem("BATON-FLEET-008", closed.kind === "pack" ? "pack_id" : "task_type", message);
  }
  const { dispatches } = settings.limits;
  if (state.dispatches.size < dispatches) return undefined;
  return overLimit("dispatch_id", state.dispatches.size + 1, dispatches, "dispatches under way");
}
