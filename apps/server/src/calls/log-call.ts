import { Code } from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { Logger } from "pino";
import { codeName } from "../errors/refuse.ts";
import type { Call } from "./call.ts";

/** Logs one line per call, without bodies and headers: what is not logged cannot leak. */
export function logCall(
  call: Call,
  answer: UniversalServerResponse | undefined,
  isFinished: boolean,
  log: Logger,
): void {
  const { method, caller, trace, startedMs } = call;
  const code = call.code ?? codeOf(answer, isFinished);
  const line = {
    method: `${method.parent.typeName}/${method.name}`,
    code: codeName(code),
    durationMs: Math.round(performance.now() - startedMs),
    tenant: caller?.tenantId,
    caller: caller?.id,
    parentSpanId: trace.parentSpanId,
  };
  log[code !== undefined && expected.has(code) ? "debug" : "info"](line, "call");
}

/** Answers to "does it exist", which successful commands cause as well. */
const expected: ReadonlySet<Code> = new Set([Code.NotFound, Code.Unimplemented]);

/** The result of a call that Connect answered itself, as far as the response shows it. */
function codeOf(answer: UniversalServerResponse | undefined, isFinished: boolean): Code | undefined {
  if (!isFinished) return Code.Canceled;
  const status = Number(answer?.trailer?.get("grpc-status") ?? 0);
  if (status !== 0) return status;
  return answer !== undefined && answer.status >= 400 ? Code.Unknown : undefined;
}
