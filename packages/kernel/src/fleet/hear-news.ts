import type { DispatchOutcome, FleetNews } from "../pipeline/command.ts";
import type { DispatchOutcome as Settled } from "./breaker.ts";
import type { FleetInput } from "./input.ts";

/** What the news of a pipeline means for the fleet: who is busy, whose answers are valid, which breakers count. */
export function fleetInputsFor(news: FleetNews): readonly FleetInput[] {
  const { dispatchId, packId, instanceId } = news;
  if (news.kind === "claims") {
    const { held, reason } = news;
    return [{ kind: "claims", packId, instanceId, held, ...(!held && { error: reason }) }];
  }
  if (news.kind === "dispatched") {
    return [{ kind: "dispatched", dispatchId, packId, instanceId, taskType: news.taskType }];
  }
  const settled: FleetInput = { kind: "settled", dispatchId, outcome: settledAs[news.outcome] };
  if (news.outcome === "lost" || news.outcome === "cancelled") return [settled];
  const valid = news.outcome !== "invalid";
  return [settled, { kind: "result", packId, instanceId, valid, ...(!valid && { error: news.reason }) }];
}

const settledAs: Readonly<Record<DispatchOutcome, Settled>> = {
  succeeded: "succeeded",
  failed: "failed",
  invalid: "failed",
  lost: "failed",
  cancelled: "withdrawn",
};
