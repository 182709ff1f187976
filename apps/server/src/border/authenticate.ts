import type { Caller } from "@baton/runtime";
import type { DescMethod } from "@bufbuild/protobuf";
import { Code, type ConnectError } from "@connectrpc/connect";
import { refuse } from "../errors/refuse.ts";
import type { Operator } from "../operator/operator.ts";
import type { KeyEntry, KeyRefusal, KeyRing } from "./keys.ts";
import { type Rule, ruleOf } from "./methods.ts";
import type { RefusedKeys } from "./refused-keys.ts";

/** The credential of a header `authorization: Bearer <credential>`; empty when the header carries something else. */
export function bearerOf(authorization: string | null | undefined): string | undefined {
  if (authorization === null || authorization === undefined || authorization === "") return undefined;
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
}

/** The tenant of a hub without keys. */
export const localTenant = "local";

export interface Credentials {
  readonly keys: KeyRing;
  readonly operator: Operator;
  /** Records refused credentials. */
  readonly refused?: RefusedKeys | undefined;
}

/** The caller id of the operator token in the audit record. */
export const operatorId = "operator";

/** The caller id of a call without a credential, on a hub without keys. */
export const localCallerId = "local";

/** The caller of methods that need no tenant, such as health. */
export const anonymous: Caller = { tenantId: "", id: "anybody", kind: "system" };

/** Identifies the caller by the header `authorization: Bearer <key>`; throws when it may not call the method. */
export function authenticate(
  credentials: Credentials,
  method: DescMethod,
  authorization: string | null | undefined,
): Caller {
  const rule = ruleOf(method);
  if (rule === undefined) return anonymous;
  const credential = bearerOf(authorization);
  const { keys, refused } = credentials;
  if (!keys.inUse) return withoutKeys(credentials, method, rule, credential);
  const found = keys.find(credential ?? "");
  if (found.refusal !== undefined) {
    noteRefusal(credentials, credential);
    throw unknownCaller();
  }
  const { entry } = found;
  if (!entry.roles.some((role) => rule.roles.includes(role))) {
    refused?.note([entry.tenant], entry.id, "it has no role for what it called");
    throw refuse({
      code: Code.PermissionDenied,
      id: "BATON-SERVER-005",
      message: `the key "${entry.id}" has no role that may call ${method.name}`,
      fix: `use a key with one of the roles: ${rule.roles.join(", ")}`,
    });
  }
  // A key with only the agent role stays an agent, whatever it calls.
  const isAgent = entry.roles.every((role) => role === "agent" || !rule.roles.includes(role));
  const kind = isAgent ? "agent" : rule.kind;
  return { tenantId: entry.tenant, id: entry.id, kind, keyId: entry.id };
}

/** Whether the credential is a key, the operator token or an open session; records one that is not. */
export function isKnown(credentials: Credentials, credential: string | undefined): boolean {
  const { keys, operator } = credentials;
  const known = keys.inUse
    ? keys.find(credential ?? "").refusal === undefined
    : operator.knows(credential ?? "");
  if (!known) noteRefusal(credentials, credential);
  return known;
}

/** Records a refused credential; a call without one is not recorded. */
export function noteRefusal({ keys, refused }: Credentials, credential: string | undefined): void {
  if (credential === undefined) return;
  if (!keys.inUse) {
    refused?.note([localTenant], "", "it is neither the operator token nor an open session");
    return;
  }
  const found = keys.find(credential);
  if (found.refusal === undefined) return;
  const tenants = found.tenant === undefined ? tenantsOf(keys.entries) : [found.tenant];
  refused?.note(tenants, found.id, reasons[found.refusal]);
}

const reasons: Readonly<Record<KeyRefusal, string>> = {
  unknown: "no key has this id",
  wrong: "its secret is wrong",
  revoked: "it was revoked",
  expired: "it has expired",
};

export function tenantsOf(keys: readonly KeyEntry[]): readonly string[] {
  return [...new Set(keys.map(({ tenant }) => tenant))];
}

/** Anyone on this machine may watch, submit and serve; decisions need the operator token. */
function withoutKeys(
  credentials: Credentials,
  method: DescMethod,
  rule: Rule,
  credential: string | undefined,
): Caller {
  if (credential !== undefined) {
    if (!isKnown(credentials, credential)) throw unknownCaller();
    return { tenantId: localTenant, id: operatorId, kind: rule.kind };
  }
  if (rule.isOpen) return { tenantId: localTenant, id: localCallerId, kind: rule.kind };
  throw refuse({
    code: Code.PermissionDenied,
    id: "BATON-SERVER-016",
    message: `${method.name} is a person's decision and needs the operator token`,
    fix: "use `npx baton` as the user who started the hub, open the address that `npx baton open` prints, or send operator.token of the hub's data folder (--api-key-file)",
  });
}

/** The same for a missing, malformed, unknown and wrong key, so that it does not help to guess one. */
function unknownCaller(): ConnectError {
  return refuse({
    code: Code.Unauthenticated,
    id: "BATON-SERVER-004",
    message: "a valid key is needed",
    fix: "send the header `authorization: Bearer <key>` with a key of this hub",
  });
}
