import { cutAtWord } from "../../brief.ts";
import { breakerAt, sendThrough } from "../health/breaker.ts";
import { breakerOf, type FleetState, findInstance, isLive } from "../state/fleet-state.ts";
import type { FleetRecord } from "../state/record.ts";
import { type AttemptOutcome, workLimits } from "../state/work.ts";
import { recordMove, scopesOf, settleAll } from "./breaker-moves.ts";
import { type FleetDecision, nothing, record, refuse } from "./decision.ts";
import type { FullFleetWorld, InputOf } from "./input.ts";
import { type FleetProblem, overLimit, problem } from "./problem.ts";

/** Counts a dispatch as active, and as the probe of each half-open breaker that it passes. */
export function decideDispatched(
  state: FleetState,
  input: InputOf<"dispatched">,
  world: FullFleetWorld,
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
    const startedAtMs = input.sentAtMs ?? recoveredAtMs;
    const dispatch = { dispatchId, packId, instanceId, taskType, startedAtMs, recoveredAtMs };
    return record([{ kind: "dispatched", ...dispatch }]);
  }
  const fault = checkDispatchable(state, input, world);
  if (fault) return refuse(fault);
  const dispatch = { dispatchId, packId, instanceId, taskType, startedAtMs: world.nowMs };
  const records: FleetRecord[] = [{ kind: "dispatched", ...dispatch }];
  for (const scope of scopesOf(input)) {
    const move = sendThrough(breakerOf(state, scope), dispatchId, world.nowMs);
    if (move) records.push(recordMove(scope, move));
  }
  return record(records);
}

/** Ignores a dispatch that is no longer active: it was lost or settled before. */
export function decideSettled(
  state: FleetState,
  { dispatchId, outcome, endedAs = endings[outcome], error = "" }: InputOf<"settled">,
  world: FullFleetWorld,
): FleetDecision {
  if (!state.dispatches.has(dispatchId)) return nothing;
  const settled = { dispatchId, outcome: endedAs, error: shortError(error), atMs: world.nowMs };
  return record([{ kind: "settled", ...settled }, ...settleAll(state, [dispatchId], outcome, world)]);
}

const endings: Readonly<Record<InputOf<"settled">["outcome"], AttemptOutcome>> = {
  succeeded: "succeeded",
  failed: "failed",
  withdrawn: "cancelled",
};

/** Ignores an attempt that is forgotten or did not succeed. */
export function decideOverturned(
  state: FleetState,
  { dispatchId, packId, instanceId, error }: InputOf<"overturned">,
): FleetDecision {
  const attempts = findInstance(state, packId, instanceId)?.work?.attempts;
  const attempt = attempts?.findLast((one) => one.dispatchId === dispatchId);
  if (attempt?.outcome !== "succeeded") return nothing;
  const overturned = { packId, instanceId, dispatchId, error: shortError(error) };
  return record([{ kind: "attempt-overturned", ...overturned }]);
}

function shortError(error: string): string {
  return cutAtWord(error, workLimits.errorLength);
}

/** Dispatch has checked all this on a view; the fleet checks again, on the state that the dispatch changes. */
function checkDispatchable(
  state: FleetState,
  input: InputOf<"dispatched">,
  { nowMs, settings }: FullFleetWorld,
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
