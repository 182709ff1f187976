import { ErrorDetailSchema, encodeJson } from "@baton/contract";
import { Code, type ConnectError } from "@connectrpc/connect";
import { codeName } from "../errors/refuse.ts";
import type { NodeResponse } from "./end-unread-body.ts";

/** The HTTP statuses that Connect maps the codes to. */
const statuses: Readonly<Partial<Record<Code, number>>> = {
  [Code.InvalidArgument]: 400,
  [Code.FailedPrecondition]: 400,
  [Code.Unauthenticated]: 401,
  [Code.PermissionDenied]: 403,
  [Code.NotFound]: 404,
  [Code.AlreadyExists]: 409,
  [Code.ResourceExhausted]: 429,
  [Code.Canceled]: 499,
  [Code.Unavailable]: 503,
  [Code.DeadlineExceeded]: 504,
};

/** Answers outside of any method with an error in Connect's JSON form. */
export function answerError(
  response: NodeResponse,
  error: ConnectError,
  status = statuses[error.code] ?? 500,
): void {
  const [detail] = error.findDetails(ErrorDetailSchema);
  const body = {
    code: codeName(error.code),
    message: error.rawMessage,
    ...(detail && {
      details: [
        { type: ErrorDetailSchema.typeName, debug: JSON.parse(encodeJson(ErrorDetailSchema, detail)) },
      ],
    }),
  };
  answerJson(response, status, body);
}

export function answerJson(response: NodeResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  response.end(`${JSON.stringify(body)}\n`);
}
