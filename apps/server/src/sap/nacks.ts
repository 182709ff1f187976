import { randomUUID } from "node:crypto";
import { ErrorDetailSchema } from "@baton/contract";
import {
  formatTimestamp,
  type Nack,
  type SapErrorCode,
  type SapViolation,
  sapVersion,
} from "@baton/protocols/sap";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { type ErrorContext, toConnectError } from "../errors/to-connect-error.ts";
import type { ServerErrorCode } from "../server-error.ts";

interface Refusal {
  readonly code: SapErrorCode;
  readonly id: ServerErrorCode | "BATON-SAP-001" | "BATON-SAP-007" | (string & {});
  readonly message: string;
  readonly fix: string;
  readonly violations?: readonly SapViolation[];
  readonly retryAfterMs?: number | undefined;
}

/** A refusal of the transport, before a task reaches the hub. */
export function makeNack(refusal: Refusal, ids: object = {}): Nack {
  const { code, id, message, fix, violations = [], retryAfterMs } = refusal;
  const { taskId, correlationId } = ids as Readonly<Record<string, unknown>>;
  return {
    protocolVersion: sapVersion,
    kind: "nack",
    messageId: randomUUID(),
    ...(typeof taskId === "string" && { taskId }),
    ...(typeof correlationId === "string" && { correlationId }),
    rejectedAt: formatTimestamp(Date.now()),
    error: {
      code,
      message,
      details: {
        ...{ code: id, fix },
        ...(violations.length > 0 && { violations: [...violations] }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      },
    },
  };
}

const codes: Readonly<Partial<Record<Code, SapErrorCode>>> = {
  [Code.InvalidArgument]: "INVALID_TASK",
  [Code.Unauthenticated]: "UNAUTHORIZED",
  [Code.PermissionDenied]: "FORBIDDEN",
  [Code.NotFound]: "NOT_FOUND",
  [Code.ResourceExhausted]: "RATE_LIMIT",
  [Code.DeadlineExceeded]: "TIMEOUT",
};

/** An error of the border, such as an unknown key, as a Nack. */
export function nackOfError(error: unknown, context: ErrorContext): Nack {
  const known = toConnectError(error, context);
  const [detail] = known.findDetails(ErrorDetailSchema);
  const retryAfterMs = detail?.retryAfter ? durationMs(detail.retryAfter) : undefined;
  return makeNack({
    code: codes[known.code] ?? "INTERNAL",
    id: detail?.code ?? "BATON-SERVER-007",
    message: known.rawMessage,
    fix: detail?.fix ?? "try again",
    retryAfterMs,
  });
}

export function tooLarge(maxBytes: number): Nack {
  const message = `the task has more than ${maxBytes} bytes`;
  const fix = "refer to large content by an attachment with its digest";
  const violations = [{ path: "", rule: "size", message, fix }];
  return makeNack({ code: "INVALID_TASK", id: "BATON-SAP-001", message, fix, violations });
}

export function wrongForm(): Nack {
  const message = "the body is not plain JSON";
  const fix = "send content-type: application/json, in UTF-8 and without content-encoding";
  return makeNack({ code: "INVALID_TASK", id: "BATON-SAP-001", message, fix });
}

export function wrongMethod(method: string): Nack {
  const message = "this path takes another method";
  return makeNack({ code: "NOT_FOUND", id: "BATON-SERVER-009", message, fix: `use ${method}` });
}

export function noSuchPath(): Nack {
  const fix = "see GET /sap/v2/openapi.json for the paths";
  return makeNack({ code: "NOT_FOUND", id: "BATON-SERVER-009", message: "this path does not exist", fix });
}
