import { randomUUID } from "node:crypto";
import { ContractError, toErrorDetail } from "@baton/contract";
import { HubError, type HubErrorKind } from "@baton/runtime";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import { refuse, withDetail } from "./refuse.ts";

const codes: Readonly<Record<HubErrorKind, Code>> = {
  invalid: Code.InvalidArgument,
  "not-found": Code.NotFound,
  precondition: Code.FailedPrecondition,
  exists: Code.AlreadyExists,
  denied: Code.PermissionDenied,
  exhausted: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
  internal: Code.Internal,
};

/** What a caller is told of an error. Of one that nobody foresaw it is told a reference, and the log all the rest. */
export function toConnectError(error: unknown, log: Logger): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof ContractError) return withDetail(Code.InvalidArgument, toErrorDetail(error));
  if (error instanceof HubError) return fromHub(error, log);
  const reference = randomUUID();
  log.error({ reference, err: error }, "a mistake of the hub");
  return refuse({
    code: Code.Internal,
    id: "BATON-SERVER-007",
    message: `the hub made a mistake; the log has it under ${reference}`,
    fix: "try again; when it happens again, give the reference to whoever runs the hub",
  });
}

function fromHub(error: HubError, log: Logger): ConnectError {
  if (error.kind === "internal") log.error({ err: error, code: error.code }, "a mistake of the hub");
  return withDetail(codes[error.kind], {
    code: error.code,
    message: error.message,
    fix: error.fix,
    violations: error.violations.map(({ field, rule, message }) => ({ field, rule, message })),
    ...(error.retryAfterMs !== undefined && { retryAfter: durationFromMs(error.retryAfterMs) }),
  });
}
