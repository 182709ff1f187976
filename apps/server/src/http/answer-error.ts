import { ErrorDetailSchema, encodeJson } from "@baton/contract";
import type { ConnectError } from "@connectrpc/connect";
import { codeName } from "../rpc/log-call.ts";
import type { NodeResponse } from "../rpc/node-types.ts";

/** An error outside of any method, in the form that Connect gives to those of its methods. */
export function answerError(response: NodeResponse, status: number, error: ConnectError): void {
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
