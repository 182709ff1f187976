/** The names of SAP's enums for those of the contract, and what a task has in the contract that it lacks itself. */
import { CacheMode, IssuerKind, PressureLevel, Priority, RiskTolerance } from "@baton/contract";
import { enumNames } from "../enum-names.ts";

export const priorities = enumNames({
  low: Priority.LOW,
  normal: Priority.NORMAL,
  high: Priority.HIGH,
  urgent: Priority.CRITICAL,
});

export const issuerKinds = enumNames({
  user: IssuerKind.USER,
  system: IssuerKind.SYSTEM,
  agent: IssuerKind.AGENT,
});

export const pressureLevels = enumNames({
  instant: PressureLevel.INSTANT,
  consulted: PressureLevel.CONSULTED,
  deliberated: PressureLevel.DELIBERATED,
});

export const riskTolerances = enumNames({
  low: RiskTolerance.LOW,
  medium: RiskTolerance.MEDIUM,
  high: RiskTolerance.HIGH,
});

export const cacheModes = enumNames({
  prefer: CacheMode.PREFER,
  only: CacheMode.ONLY,
  bypass: CacheMode.BYPASS,
});

/** A task of the contract has at least one acceptance criterion. */
export function defaultObjective(capability: string): string {
  return `${capability} is done for the given inputs`;
}
