import { Code, ConnectError } from "@connectrpc/connect";
import { refuse } from "./refuse.ts";

/** Why a call was ended from outside: the server stops, or the caller has gone. */
export function whyEnded({ reason }: AbortSignal): ConnectError {
  if (reason instanceof ConnectError && reason.details.length > 0) return reason; // Ours: the server stops.
  return refuse({
    code: Code.Canceled,
    id: "BATON-SERVER-008",
    message: "the caller went away",
    fix: "ask again; a task is safe to submit again with the same idempotency key",
  });
}
