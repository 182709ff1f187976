import type { Caller } from "@baton/runtime";
import type { DescMethod } from "@bufbuild/protobuf";
import { Code, type ConnectError } from "@connectrpc/connect";
import { refuse } from "../rpc/refuse.ts";
import type { KeyRing } from "./keys.ts";
import { ruleOf } from "./methods.ts";

/** Who is there when there are no keys: whoever can reach the loopback address. */
export const localTenant = "local";

/** Those who ask what tells nothing of any tenant, such as health. */
export const anybody: Caller = { tenantId: "", id: "anybody", kind: "system" };

/** Tells who calls a method, by the header `authorization: Bearer <key>`; throws when it is not theirs to call. */
export function authenticate(
  keys: KeyRing,
  method: DescMethod,
  authorization: string | null | undefined,
): Caller {
  const rule = ruleOf(method);
  if (rule === undefined) return anybody;
  if (keys.isEmpty) return { tenantId: localTenant, id: localTenant, kind: rule.kind };
  const [, key] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  const entry = keys.find(key ?? "");
  if (entry === undefined) throw unknownCaller();
  if (!entry.roles.some((role) => rule.roles.includes(role))) {
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

/** The same for a key that is missing, malformed, unknown or wrong: the answer helps nobody to guess. */
function unknownCaller(): ConnectError {
  return refuse({
    code: Code.Unauthenticated,
    id: "BATON-SERVER-004",
    message: "a valid key is needed",
    fix: "send the header `authorization: Bearer <key>` with a key of this hub",
  });
}
