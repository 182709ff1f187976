import { RefSchema } from "@baton/contract";
import { explainMissingRoute, fallbackOf, matchRoute, type RoutingPolicy } from "@baton/kernel";
import type { SapViolation, Task } from "@baton/protocols/sap";
import { create } from "@bufbuild/protobuf";
import type { ReferenceReader } from "../../ports/outside.ts";
import type { Refusal } from "./nack.ts";

/** Why nothing leads to the capability, or to the agent that has to take it (U §4.3: unroutable). */
export function checkRoute(
  { target: { capability, agentId } }: Task,
  policy: RoutingPolicy,
  isTemplate: boolean,
): Refusal | undefined {
  if (isTemplate) return undefined;
  const route = matchRoute(capability, policy);
  if (!route) {
    const { reason, remedy } = explainMissingRoute(capability, policy);
    return noRoute("target.capability", reason, remedy);
  }
  if (agentId === undefined || route.allowedPackIds.includes(agentId)) return undefined;
  if (fallbackOf(route, policy.defaults) === agentId) return undefined;
  const allowed = route.allowedPackIds.join(", ") || "none";
  const fix = `leave out target.agentId, or name one of the agents that may take "${capability}": ${allowed}`;
  return noRoute("target.agentId", `no agent "${agentId}" may take "${capability}"`, fix);
}

function noRoute(path: string, message: string, fix: string): Refusal {
  const violations = [{ path, rule: "route", message, fix }];
  return { code: "NOT_FOUND", id: "BATON-SAP-003", message, fix, violations };
}

export function checkDeadline({ telemetry }: Task, nowMs: number): Refusal | undefined {
  const { deadline } = telemetry ?? {};
  if (deadline === undefined || Date.parse(deadline) > nowMs) return undefined;
  const message = "the deadline has passed";
  const fix = "submit the task under another taskId, with a deadline in the future or without one";
  const violations = [{ path: "telemetry.deadline", rule: "deadline", message, fix }];
  return { code: "TIMEOUT", id: "BATON-SAP-004", message, fix, violations };
}

/**
 * Reads every attachment that has a digest, and compares. Only web addresses are read: whether a file of this machine has a
 * certain digest is nothing that a submitter may find out.
 */
export async function checkAttachments(
  { attachments = [] }: Task,
  tenantId: string,
  references: ReferenceReader,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const stated = attachments.flatMap(({ uri, digest }, index) =>
    digest === undefined ? [] : [{ uri, digest: digest.toLowerCase(), path: `attachments[${index}]` }],
  );
  const remote = stated.filter(({ uri }) => isWebAddress(uri));
  const refs = remote.map(({ uri }) => create(RefSchema, { uriOrLocator: uri }));
  const outcomes = refs.length === 0 ? [] : await references.read({ tenantId, refs }, signal);
  const violations: SapViolation[] = stated
    .filter(({ uri }) => !isWebAddress(uri))
    .map(({ path }) => unreadable(path, "only web addresses are read to compare digests"));
  for (const [index, { path, digest }] of remote.entries()) {
    const outcome = outcomes[index];
    if (!outcome?.ok) violations.push(unreadable(path, outcome?.reason ?? "it was not read"));
    else if (outcome.digest.toLowerCase() !== digest) violations.push(changed(path));
  }
  const [first] = violations;
  if (first === undefined) return undefined;
  const message = `${first.path} ${first.message}`;
  return { code: "UNPROCESSABLE", id: "BATON-SAP-005", message, fix: first.fix, violations };
}

function unreadable(path: string, reason: string): SapViolation {
  const fix = "make it readable for the hub, or leave out its digest";
  return {
    path: `${path}.uri`,
    rule: "readable",
    message: `cannot be compared with its digest: ${reason}`,
    fix,
  };
}

function changed(path: string): SapViolation {
  const fix = "write the digest of the content as it is now, under another taskId";
  return { path: `${path}.digest`, rule: "digest", message: "is not the digest of the content", fix };
}

function isWebAddress(uri: string): boolean {
  return /^https?:/i.test(uri);
}
