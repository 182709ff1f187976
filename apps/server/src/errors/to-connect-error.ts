import { randomUUID } from "node:crypto";
import { ContractError, ErrorDetailSchema, toErrorDetail } from "@baton/contract";
import type { Redactor } from "@baton/kernel";
import { HubError, type HubErrorKind, redactError } from "@baton/runtime";
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

export interface ErrorContext {
  readonly log: Logger;
  /** Redacts errors, which may quote a request. */
  readonly errors: Redactor;
}

/** The error for the caller. An unexpected error is logged, and the caller receives a reference to the log. */
export function toConnectError(error: unknown, { log, errors }: ErrorContext): ConnectError {
  if (error instanceof ConnectError) return redacted(error, errors);
  if (error instanceof ContractError)
    return withDetail(Code.InvalidArgument, redactError(errors, toErrorDetail(error)));
  if (error instanceof HubError) return fromHub(error, log, errors);
  const reference = randomUUID();
  log.error({ reference, err: error }, "internal error");
  return refuse({
    code: Code.Internal,
    id: "BATON-SERVER-007",
    message: `internal error; the hub's log has the details under ${reference}`,
    fix: "try again; if it happens again, give the reference to the operator of the hub",
  });
}

function fromHub(error: HubError, log: Logger, errors: Redactor): ConnectError {
  if (error.kind === "internal") log.error({ err: error, code: error.code }, "internal error");
  const detail = redactError(errors, {
    code: error.code,
    message: error.message,
    fix: error.fix,
    violations: error.violations.map(({ field, rule, message }) => ({ field, rule, message })),
    ...(error.retryAfterMs !== undefined && { retryAfter: durationFromMs(error.retryAfterMs) }),
  });
  return withDetail(codes[error.kind], detail);
}

/** An error of the server or of Connect itself. */
function redacted(error: ConnectError, errors: Redactor): ConnectError {
  const [detail] = error.findDetails(ErrorDetailSchema);
  const safe = redactError(errors, detail ?? { code: "connect", message: error.rawMessage });
  if (safe === detail || safe.message === error.rawMessage) return error;
  return detail ? withDetail(error.code, safe) : new ConnectError(safe.message, error.code);
}
