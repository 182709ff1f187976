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

/** What callers are known by. */
export interface Credentials {
  readonly keys: KeyRing;
  readonly operator: Operator;
  /** Puts on record that a credential was refused. */
  readonly refused?: RefusedKeys | undefined;
}

/** As whom the record names whoever has the operator token. */
export const operatorId = "operator";

/** Those who ask what tells nothing of any tenant, such as health. */
export const anybody: Caller = { tenantId: "", id: "anybody", kind: "system" };

/** Says who calls a method, by the header `authorization: Bearer <key>`; throws when it is not theirs to call. */
export function authenticate(
  credentials: Credentials,
  method: DescMethod,
  authorization: string | null | undefined,
): Caller {
  const rule = ruleOf(method);
  if (rule === undefined) return anybody;
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
  // A key of agents alone stays an agent's, whatever it calls.
  const isAgents = entry.roles.every((role) => role === "agent" || !rule.roles.includes(role));
  const kind = isAgents ? "agent" : rule.kind;
  return { tenantId: entry.tenant, id: entry.id, kind, keyId: entry.id };
}

/** Whether the credential is a key, the operator token or an open session; one that is not is put on record. */
export function isKnown(credentials: Credentials, credential: string | undefined): boolean {
  const { keys, operator } = credentials;
  const known = keys.inUse
    ? keys.find(credential ?? "").refusal === undefined
    : operator.knows(credential ?? "");
  if (!known) noteRefusal(credentials, credential);
  return known;
}

/** A call without a credential tries none. */
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

/** Whom a file of keys concerns. */
export function tenantsOf(keys: readonly KeyEntry[]): readonly string[] {
  return [...new Set(keys.map(({ tenant }) => tenant))];
}

/** Anybody on this machine may watch, submit and serve; to decide takes the operator. */
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
  if (rule.isOpen) return { tenantId: localTenant, id: localTenant, kind: rule.kind };
  throw refuse({
    code: Code.PermissionDenied,
    id: "BATON-SERVER-016",
    message: `${method.name} is a person's decision, and the call has no operator token`,
    fix: "use `npx baton` as the user who started the hub, open the address that `npx baton open` prints, or send operator.token of the hub's data folder (--api-key-file)",
  });
}

/** The same for a key that is missing, malformed, unknown or wrong: the answer helps nobody to guess. */
function unknownCaller(): ConnectError {
  return refuse({
    code: Code.Unauthenticated,
    id: "BATON-SERVER-004",
    message: "a valid key is needed",
    fix: "send the header `authorization: Bearer <key>` with a key of this hub",
  });
}
