import { constants } from "node:http2";
import { type ConnectRouter, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import { decodeBody } from "../body/decode-body.ts";
import { filterHeaders } from "../body/request-headers.ts";
import { Call, callKey } from "../calls/call.ts";
import { logCall } from "../calls/log-call.ts";
import { readTrace } from "../calls/trace.ts";
import type { ErrorContext } from "../errors/to-connect-error.ts";
import type { ServerLimits } from "../limits.ts";
import type { NodeRequest, NodeResponse } from "../transport/end-unread-body.ts";
import { endUnreadBody } from "../transport/end-unread-body.ts";
import { type DirectMethod, isPlainGrpc } from "./serve-direct.ts";

interface Serving extends ErrorContext {
  readonly limits: ServerLimits;
}

/** Serves the methods of a router; returns false for other paths. */
export type RpcServer = (request: NodeRequest, response: NodeResponse, path: string) => boolean;

/** Connect serves all methods, except `direct` ones over plain gRPC. */
export interface Routes {
  readonly router: ConnectRouter;
  readonly direct: readonly DirectMethod[];
}

export function rpcServer({ router, direct }: Routes, serving: Serving): RpcServer {
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  const directly = new Map(direct.map((method) => [method.path, method]));
  return (request, response, path) => {
    const method = directly.get(path);
    if (method && "stream" in request && "stream" in response && isPlainGrpc(request)) {
      method.serve(request, response, serving);
      return true;
    }
    const handler = handlers.get(path);
    if (handler === undefined) return false;
    serve(handler, request, response, serving);
    return true;
  };
}

function serve(
  handler: UniversalHandler,
  request: NodeRequest,
  response: NodeResponse,
  { limits, log, errors }: Serving,
): void {
  const call = new Call(handler.method, readTrace(oneHeader(request.headers.traceparent)));
  const callLog = log.child({ traceId: call.trace.traceId });
  let answer: UniversalServerResponse | undefined;
  if (handler.method.methodKind === "unary") limitTime(request, response, limits);
  endUnreadBody(request, response);
  response.once("close", () => {
    call.close();
    logCall(call, answer, response.writableFinished, callLog);
  });
  const values = createContextValues().set(callKey, call);
  const arrived = universalRequestFromNodeRequest(request, response, undefined, values);
  filterHeaders(arrived.header, errors);
  handler(decodeBody(arrived, call, { limits, log: callLog, errors }))
    .then((answered) => {
      answer = answered;
      return universalResponseToNodeResponse(answered, response);
    })
    .catch((error) => {
      callLog.debug({ err: error }, "the caller went away before the response");
      cutOff(request);
    });
}

/** Cuts off a client that has not read the response within the time for the body and the call. */
function limitTime(request: NodeRequest, response: NodeResponse, limits: ServerLimits): void {
  const timer = setTimeout(() => cutOff(request), limits.bodyTimeoutMs + limits.callTimeoutMs);
  response.once("close", () => clearTimeout(timer));
}

function cutOff(request: NodeRequest): void {
  if ("stream" in request) request.stream.close(constants.NGHTTP2_CANCEL);
  else request.destroy();
}

function oneHeader(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}
