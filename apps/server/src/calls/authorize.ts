import { OrchestratorService, RegistryService } from "@baton/contract";
import type { Caller } from "@baton/runtime";
import { Code, type HandlerContext } from "@connectrpc/connect";
import type { Admission } from "../border/admission.ts";
import { anonymous, authenticate, type Credentials } from "../border/authenticate.ts";
import type { KeyRing } from "../border/keys.ts";
import { refuse } from "../errors/refuse.ts";
import { type ErrorContext, toConnectError } from "../errors/to-connect-error.ts";
import type { Readiness } from "../readiness.ts";
import { type Call, callOf } from "./call.ts";
import { writeTrace } from "./trace.ts";

/** What a call needs to be authorised. */
export interface Authorization extends ErrorContext, Credentials {
  readonly admission: Admission;
  readonly readiness: Readiness;
}

/** For calls that Connect serves. */
export function authorizeRequest(authorization: Authorization, context: HandlerContext): void {
  const call = callOf(context);
  context.responseHeader.set("traceresponse", writeTrace(call.trace));
  try {
    authorizeCall(authorization, call, context.requestHeader.get("authorization"));
  } catch (error) {
    throw call.fail(toConnectError(error, authorization));
  }
}

/** Authenticates, authorises and admits a call by its headers alone. */
export function authorizeCall(
  authorization: Authorization,
  call: Call,
  header: string | null | undefined,
): Caller {
  const { admission, readiness } = authorization;
  const { method } = call;
  const caller = authenticate(authorization, method, header);
  // Health checks must see that the server stops, and working agents keep their lease.
  if (caller !== anonymous && method !== RegistryService.method.sendHeartbeat) readiness.refuseWhenStopping();
  const kind = kindOf(method);
  call.admit(caller, admission.enter(kind, caller.tenantId));
  if (kind !== "call") endWithKey(authorization.keys, call, caller);
  return caller;
}

function kindOf(method: Call["method"]) {
  if (method === OrchestratorService.method.watchEvents) return "watcher";
  return method.methodKind === "unary" ? "call" : "stream";
}

/** Ends a stream with its key: it may last for days. */
export function endWithKey(keys: KeyRing, call: Call, { keyId }: Caller): void {
  if (keyId !== undefined) call.onClose(keys.onEnd(keyId, () => call.end(keyEnded())));
}

function keyEnded() {
  return refuse({
    code: Code.Unauthenticated,
    id: "BATON-SERVER-004",
    message: "the key of this stream was revoked or changed, or has expired",
    fix: "use another key of this hub",
  });
}
