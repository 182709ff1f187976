import { ErrorDetailSchema } from "@baton/contract/forms";
import { Code, ConnectError } from "@connectrpc/connect";

const passing: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.ResourceExhausted,
  Code.Aborted,
  Code.Canceled,
]);

/** What a connection that breaks in the middle may look like. When the hub itself says so, it adds a detail. */
const whenWithoutDetail: ReadonlySet<Code> = new Set([Code.Internal, Code.Unknown]);

/** What is over when the hub is back. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false;
  if (passing.has(error.code)) return true;
  return whenWithoutDetail.has(error.code) && error.findDetails(ErrorDetailSchema).length === 0;
}

/**
 * The events after the last one we were told are gone (BATON-QUERY-003). All that are left came later: to begin with the
 * first of them tells nothing twice.
 */
export function whyGone(error: unknown): string | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  return error.findDetails(ErrorDetailSchema).find(({ code }) => code === "BATON-QUERY-003")?.message;
}

/** The connection broke, however the system words it. */
export function isConnectionLoss(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("ERR_HTTP2_") || ["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT"].includes(code);
}
