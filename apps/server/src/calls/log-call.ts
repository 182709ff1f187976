import { Code } from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { Logger } from "pino";
import { codeName } from "../errors/refuse.ts";
import type { Call } from "./call.ts";

/** One line for each call. Neither bodies nor headers are in it: what is not written cannot leak. */
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
  log[code !== undefined && asking.has(code) ? "debug" : "info"](line, "call");
}

/** Whoever asks whether something is there, or is known to this hub, has got an answer: commands that succeed do. */
const asking: ReadonlySet<Code> = new Set([Code.NotFound, Code.Unimplemented]);

/** How a call ended that Connect alone has answered, as far as the answer tells. */
function codeOf(answer: UniversalServerResponse | undefined, isFinished: boolean): Code | undefined {
  if (!isFinished) return Code.Canceled;
  const status = Number(answer?.trailer?.get("grpc-status") ?? 0);
  if (status !== 0) return status;
  return answer !== undefined && answer.status >= 400 ? Code.Unknown : undefined;
}
