import { Code, type ConnectError } from "@connectrpc/connect";
import { refuse } from "./refuse.ts";

export function stopping(retryAfterMs: number): ConnectError {
  return refuse({
    code: Code.Unavailable,
    id: "BATON-SERVER-010",
    message: "the hub is stopping",
    fix: "try again after the time that is given",
    retryAfterMs,
  });
}
