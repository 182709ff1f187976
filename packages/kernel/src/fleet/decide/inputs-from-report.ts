import type { DispatchOutcome as Settled } from "../health/breaker.ts";
import type { FleetInput } from "./input.ts";

/** What a pipeline reports to the fleet about a dispatch. */
export type FleetReport =
  | {
      readonly kind: "dispatched";
      readonly dispatchId: string;
      readonly packId: string;
      readonly instanceId: string;
      readonly taskType: string;
    }
  | {
      readonly kind: "ended";
      readonly dispatchId: string;
      readonly packId: string;
      readonly instanceId: string;
      readonly taskType: string;
      readonly outcome: DispatchOutcome;
      /** An error edge of the workflow takes the failure: part of its flow, and no evidence about the agents. */
      readonly handled?: true;
      readonly reason: string;
      /** The reason for people, without secrets. */
      readonly error: string;
    }
  | {
      /** The result of a successful attempt does not count. */
      readonly kind: "overturned";
      readonly dispatchId: string;
      readonly packId: string;
      readonly instanceId: string;
      /** For people, without secrets. */
      readonly reason: string;
    }
  | {
      /** What a result claimed was checked. */
      readonly kind: "claims";
      readonly dispatchId: string;
      readonly packId: string;
      readonly instanceId: string;
      readonly held: boolean;
      readonly reason: string;
    };

/** `failed`: a valid result reports it; `invalid`: an invalid result; `lost`: no result. */
export type DispatchOutcome = "succeeded" | "failed" | "invalid" | "lost" | "cancelled";

/** Converts a report to the fleet's inputs: load, validity of results, outcomes for breakers. */
export function inputsFromReport(report: FleetReport): readonly FleetInput[] {
  const { dispatchId, packId, instanceId } = report;
  if (report.kind === "claims") {
    const { held, reason } = report;
    return [{ kind: "claims", packId, instanceId, held, ...(!held && { error: reason }) }];
  }
  if (report.kind === "overturned") {
    return [{ kind: "overturned", dispatchId, packId, instanceId, error: report.reason }];
  }
  if (report.kind === "dispatched") {
    return [{ kind: "dispatched", dispatchId, packId, instanceId, taskType: report.taskType }];
  }
  const { outcome: endedAs, error, handled } = report;
  const settled: FleetInput = {
    kind: "settled",
    ...{ dispatchId, outcome: handled ? "withdrawn" : settledAs[endedAs], endedAs },
    ...(endedAs !== "succeeded" && { error }),
  };
  if (report.outcome === "lost" || report.outcome === "cancelled") return [settled];
  const valid = report.outcome !== "invalid";
  return [settled, { kind: "result", packId, instanceId, valid, ...(!valid && { error: report.reason }) }];
}

const settledAs: Readonly<Record<DispatchOutcome, Settled>> = {
  succeeded: "succeeded",
  failed: "failed",
  invalid: "failed",
  lost: "failed",
  cancelled: "withdrawn",
};
