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
  /** What callers are told of errors passes here: an error may quote what somebody sent. */
  readonly errors: Redactor;
}

/** What a caller is told of an error. Of one that nobody foresaw it is told a reference, and the log all the rest. */
export function toConnectError(error: unknown, { log, errors }: ErrorContext): ConnectError {
  if (error instanceof ConnectError) return redacted(error, errors);
  if (error instanceof ContractError)
    return withDetail(Code.InvalidArgument, redactError(errors, toErrorDetail(error)));
  if (error instanceof HubError) return fromHub(error, log, errors);
  const reference = randomUUID();
  log.error({ reference, err: error }, "a mistake of the hub");
  return refuse({
    code: Code.Internal,
    id: "BATON-SERVER-007",
    message: `the hub made a mistake; the log has it under ${reference}`,
    fix: "try again; when it happens again, give the reference to whoever runs the hub",
  });
}

function fromHub(error: HubError, log: Logger, errors: Redactor): ConnectError {
  if (error.kind === "internal") log.error({ err: error, code: error.code }, "a mistake of the hub");
  const detail = redactError(errors, {
    code: error.code,
    message: error.message,
    fix: error.fix,
    violations: error.violations.map(({ field, rule, message }) => ({ field, rule, message })),
    ...(error.retryAfterMs !== undefined && { retryAfter: durationFromMs(error.retryAfterMs) }),
  });
  return withDetail(codes[error.kind], detail);
}

/** One that was made elsewhere, by the border or by Connect itself. */
function redacted(error: ConnectError, errors: Redactor): ConnectError {
  const [detail] = error.findDetails(ErrorDetailSchema);
  const told = redactError(errors, detail ?? { code: "connect", message: error.rawMessage });
  if (told === detail || told.message === error.rawMessage) return error;
  return detail ? withDetail(error.code, told) : new ConnectError(told.message, error.code);
}
