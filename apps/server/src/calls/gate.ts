import { OrchestratorService, RegistryService } from "@baton/contract";
import type { Caller } from "@baton/runtime";
import { Code, type HandlerContext } from "@connectrpc/connect";
import type { Admission } from "../border/admission.ts";
import { anybody, authenticate, type Credentials } from "../border/authenticate.ts";
import type { KeyRing } from "../border/keys.ts";
import { refuse } from "../errors/refuse.ts";
import { type ErrorContext, toConnectError } from "../errors/to-connect-error.ts";
import type { Readiness } from "../readiness.ts";
import { type Call, callOf } from "./call.ts";
import { writeTrace } from "./trace.ts";

export interface Gate extends ErrorContext, Credentials {
  readonly admission: Admission;
  readonly readiness: Readiness;
}

/** Lets a call of Connect's through the gate, or tells it why not. */
export function passGate(gate: Gate, context: HandlerContext): void {
  const call = callOf(context);
  context.responseHeader.set("traceresponse", writeTrace(call.trace));
  try {
    enterGate(gate, call, context.requestHeader.get("authorization"));
  } catch (error) {
    const told = toConnectError(error, gate);
    call.code = told.code;
    throw told;
  }
}

/** Decides, by the headers alone, whether a call comes in: who it is, whether it may, whether there is room. */
export function enterGate(gate: Gate, call: Call, authorization: string | null | undefined): Caller {
  const { admission, readiness } = gate;
  const { method } = call;
  const caller = authenticate(gate, method, authorization);
  // Whoever asks for the health of a server that stops must hear that it does; who is at work keeps its lease.
  if (caller !== anybody && method !== RegistryService.method.sendHeartbeat) readiness.refuseWhenStopping();
  const kind = kindOf(method);
  call.admit(caller, admission.enter(kind, caller.tenantId));
  if (kind !== "call") endWithKey(gate.keys, call, caller);
  return caller;
}

function kindOf(method: Call["method"]) {
  if (method === OrchestratorService.method.watchEvents) return "watcher";
  return method.methodKind === "unary" ? "call" : "stream";
}

/** A stream may last for days: it ends when its key does. */
export function endWithKey(keys: KeyRing, call: Call, { keyId }: Caller): void {
  if (keyId !== undefined) call.onClose(keys.onEnd(keyId, () => call.end(keyEnded())));
}

function keyEnded() {
  return refuse({
    code: Code.Unauthenticated,
    id: "BATON-SERVER-004",
    message: "the key of this stream was revoked, changed or has expired",
    fix: "use another key of this hub",
  });
}
