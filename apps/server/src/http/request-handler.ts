import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { Code, type ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import { Health } from "../../gen/grpc/health/v1/health_pb.js";
import { refuse } from "../errors/refuse.ts";
import { type EventStreams, streamEvents } from "../events/stream-events.ts";
import { answerPage } from "../page/answer-page.ts";
import type { PageFiles } from "../page/page-files.ts";
import type { Readiness } from "../readiness.ts";
import type { RpcServer } from "../rpc/serve-rpc.ts";
import { answerSap } from "../sap/answer-sap.ts";
import type { SapPort } from "../sap/sap-call.ts";
import { answerError, answerJson } from "../transport/answer-error.ts";
import type { NodeRequest, NodeResponse } from "../transport/end-unread-body.ts";
import { endUnreadBody } from "../transport/end-unread-body.ts";
import { answerUploads, type UploadPort } from "../uploads/answer-uploads.ts";
import { allowOrigin, answerPreflight } from "./cors.ts";
import { answerSignIn } from "./sign-in.ts";
import { isAllowedOrigin, type TrustedNames, whyNotTrusted } from "./trusted-names.ts";

export interface Port {
  readonly rpc: RpcServer;
  readonly names: TrustedNames;
  readonly streams: EventStreams;
  readonly log: Logger;
  readonly page: PageFiles | undefined;
  readonly uploads: UploadPort | undefined;
  readonly sap: SapPort;
  readonly webhookKeys: () => readonly string[];
}

/** Answered for any host name: probes may use internal addresses, and learn only the state of the server. */
const forProbes = ["/healthz", "/readyz", `/${Health.typeName}/Check`, `/${Health.typeName}/Watch`];

export function handleHttp1(request: IncomingMessage, response: ServerResponse, port: Port): void {
  handle(request, response, port, (path) => answerHttp1(request, response, path, port));
}

export function handleHttp2(request: Http2ServerRequest, response: Http2ServerResponse, port: Port): void {
  handle(request, response, port, () => false);
}

function handle(
  request: NodeRequest,
  response: NodeResponse,
  port: Port,
  answerOther: (path: string) => boolean,
): void {
  try {
    const path = request.url?.split("?", 1)[0] ?? "";
    const reason = forProbes.includes(path) ? undefined : whyNotTrusted(request, port.names);
    if (reason !== undefined) return answerUnread(request, response, 403, notTrusted(reason));
    if (port.uploads && answerUploads(request, response, path, port.uploads)) return;
    if (answerOther(path) || port.rpc(request, response, path)) return;
    answerUnread(request, response, 404, notFound());
  } catch (error) {
    // Only an invalid path or host; later failures have responses of their own.
    port.log.info({ err: error }, "invalid request");
    if (!response.headersSent) answerUnread(request, response, 400, notFound());
  }
}

function answerUnread(
  request: NodeRequest,
  response: NodeResponse,
  status: number,
  error: ConnectError,
): void {
  endUnreadBody(request, response);
  answerError(response, error, status);
}

/** Everything at the HTTP/1.1 port except the services. */
function answerHttp1(request: IncomingMessage, response: ServerResponse, path: string, port: Port): boolean {
  const { origin } = request.headers;
  if (origin !== undefined && isAllowedOrigin(origin, port.names)) {
    allowOrigin(origin, response);
    if (request.method === "OPTIONS") {
      answerPreflight(response);
      return true;
    }
  }
  if (answerSignIn(request, response, path, port.streams)) return true;
  if (answerSap(request, response, path, port.sap)) return true;
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  if (path === "/v1/events" && request.method === "GET") {
    void streamEvents(request, response, port.streams);
    return true;
  }
  if (answerProbe(path, response, port.streams.readiness)) return true;
  if (path === "/v1/webhook-keys") {
    answerJson(response, 200, { keys: port.webhookKeys() });
    return true;
  }
  return port.page !== undefined && answerPage(request, response, path, port.page);
}

function notTrusted(reason: string): ConnectError {
  return refuse({
    code: Code.PermissionDenied,
    id: "BATON-SERVER-006",
    message: reason,
    fix: "use the server's own address, or add the name to allowed_hosts or the page to allowed_origins",
  });
}

function notFound(): ConnectError {
  return refuse({
    code: Code.Unimplemented,
    id: "BATON-SERVER-009",
    message: "this path does not exist",
    fix: "see docs/reference/api.md for the paths",
  });
}

/** `/healthz`: whether the process runs; `/readyz`: whether it accepts work (TRN-05). */
function answerProbe(path: string, response: NodeResponse, readiness: Readiness): boolean {
  if (path === "/healthz") {
    answerJson(response, 200, { status: "ok" });
    return true;
  }
  if (path !== "/readyz") return false;
  const reason = readiness.whyNot();
  const warnings = readiness.warnings();
  const { mode } = readiness;
  const more = { ...(mode !== undefined && { mode }), ...(warnings.length > 0 && { warnings }) };
  if (reason === undefined) answerJson(response, 200, { status: "ready", ...more });
  else answerJson(response, 503, { status: "not ready", reason, ...more });
  return true;
}
