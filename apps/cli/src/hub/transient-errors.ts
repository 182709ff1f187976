import { ErrorDetailSchema } from "@baton/contract/forms";
import { Code, ConnectError } from "@connectrpc/connect";

const transientCodes: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.ResourceExhausted,
  Code.Aborted,
  Code.Canceled,
]);

/** Codes of a broken connection. An error of the hub with these codes has a detail. */
const whenWithoutDetail: ReadonlySet<Code> = new Set([Code.Internal, Code.Unknown]);

/** Whether the error can pass by itself, such as an outage of the hub. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false;
  if (transientCodes.has(error.code)) return true;
  return whenWithoutDetail.has(error.code) && error.findDetails(ErrorDetailSchema).length === 0;
}

/**
 * The hub's message when the events after the last received one were removed (BATON-QUERY-003). The remaining ones are
 * newer, so starting with the first of them repeats nothing.
 */
export function describeMissingEvents(error: unknown): string | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  return error.findDetails(ErrorDetailSchema).find(({ code }) => code === "BATON-QUERY-003")?.message;
}

/** Whether the connection broke, by the codes of Node and the system. */
export function isConnectionLoss(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("ERR_HTTP2_") || ["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT"].includes(code);
}
