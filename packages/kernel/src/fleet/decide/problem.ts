import { nameFault } from "../../names.ts";

/** Why the fleet refused an input: a code from a closed set, the field and the fix. */
export interface FleetProblem {
  readonly code: FleetProblemCode;
  /** The field at fault, such as `manifest.min_orchestrator_version`; empty for the whole. */
  readonly at: string;
  readonly message: string;
  readonly fix: string;
}

type FleetProblemCode = keyof typeof fixes;

const fixes = {
  /** A message that breaks a rule of the contract. */
  "BATON-FLEET-001": "change the named field; docs/reference/contract.md lists every field and rule",
  /** A pack for another hub (A §3.1 registration). */
  "BATON-FLEET-002": "use a version of the pack that is made for this hub, or a hub that it is made for",
  /** A version of a pack with other content than before (A §3.1 "immutable per version"). */
  "BATON-FLEET-003": "give the changed pack a new version: pack_version in its file, version in code",
  /** A heartbeat of a pack or version that is not registered. */
  "BATON-FLEET-004": "register the manifest first, and state its pack_version in the heartbeat",
  /** An unknown instance. */
  "BATON-FLEET-005": "check pack id and instance id; `baton agent list` lists the known ones",
  /** More than the limits allow. */
  "BATON-FLEET-006": "use less, or raise the limit in the hub's settings",
  /** A dispatch to a gone or quarantined instance. */
  "BATON-FLEET-007": "choose again among the candidates",
  /** A dispatch through an open circuit breaker (A §3.2 step 1). */
  "BATON-FLEET-008": "wait until the breaker lets a probe through, or ask a person",
  /** A dispatch id that is in use. */
  "BATON-FLEET-009": "give every attempt a dispatch id of its own",
  /** An instance that cannot be restored. */
  "BATON-FLEET-010": "name a quarantined instance, who restores it, and why",
  /** A tenant that cannot be stopped or started. */
  "BATON-FLEET-011": "`baton tenant show` says whether the tenant is stopped",
  /** A limit of spending that cannot be raised (SAC-12). */
  "BATON-FLEET-012":
    "`baton spend` prints the limits; give a reason, and an amount above zero of one that there is",
  /** A definition of a tool that cannot be accepted (SACP §8). */
  "BATON-FLEET-013":
    "`baton tool list --changed` lists the definitions that wait, with their digests; give a reason",
} as const;

export function problem(code: FleetProblemCode, at: string, message: string): FleetProblem {
  return { code, at, message, fix: fixes[code] };
}

export function overLimit(at: string, found: number, allowed: number, what: string): FleetProblem {
  return problem("BATON-FLEET-006", at, `${found} ${what} are more than the ${allowed} that are allowed`);
}

/** A name must be readable, typeable and searchable. */
export function noName(at: string, text: string): FleetProblem | undefined {
  const why = nameFault(text);
  return why === undefined ? undefined : problem("BATON-FLEET-001", at, why);
}
