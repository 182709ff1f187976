import { ErrorDetailSchema } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import type { ServerErrorCode } from "../server-error.ts";

export interface Refusal {
  readonly code: Code;
  readonly id: ServerErrorCode;
  readonly message: string;
  readonly fix: string;
  readonly retryAfterMs?: number;
}

/** An error of the server, in the form that all errors of the API have. */
export function refuse({ code, id, message, fix, retryAfterMs }: Refusal): ConnectError {
  return withDetail(code, {
    code: id,
    message,
    fix,
    ...(retryAfterMs !== undefined && { retryAfter: durationFromMs(retryAfterMs) }),
  });
}

/** Over gRPC the detail is in the trailers, of which clients accept only a few kilobytes. */
const maxViolations = 20;
const maxTextLength = 500;

export function withDetail(code: Code, given: MessageInitShape<typeof ErrorDetailSchema>): ConnectError {
  const detail = create(ErrorDetailSchema, given);
  detail.message = cut(detail.message);
  detail.violations = detail.violations.slice(0, maxViolations).map((violation) => ({
    ...violation,
    field: cut(violation.field),
    message: cut(violation.message),
  }));
  return new ConnectError(detail.message, code, undefined, [{ desc: ErrorDetailSchema, value: detail }]);
}

function cut(text: string): string {
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}…`;
}

/** The name of a code as Connect writes it, such as `invalid_argument`. */
export function codeName(code: Code | undefined): string {
  if (code === undefined) return "ok";
  return Code[code].replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
}
