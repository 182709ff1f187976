import { constants } from "node:http2";
import { pipeline } from "node:stream/promises";
import { type UploadContent, UploadError, type Uploads } from "@baton/runtime";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import type { Admission } from "../border/admission.ts";
import { authenticateBy, type Credentials } from "../border/authenticate.ts";
import type { Rule } from "../border/methods.ts";
import { refuse } from "../errors/refuse.ts";
import type { Readiness } from "../readiness.ts";
import { answerError, answerJson } from "../transport/answer-error.ts";
import { endUnreadBody, type NodeRequest, type NodeResponse } from "../transport/end-unread-body.ts";

export interface UploadPort extends Credentials {
  readonly uploads: Uploads;
  readonly admission: Admission;
  readonly readiness: Readiness;
  readonly log: Logger;
  readonly bodyTimeoutMs: number;
  /** Fires when the server stops. */
  readonly stopped: AbortSignal;
  /** The port of the signed addresses. */
  readonly httpPort: () => number;
}

/** Agents upload what they make, and people what a task needs; both read what their tenant has. */
const exchanging: Rule = { roles: ["agent", "submit", "operate", "review"], kind: "human", isOpen: true };

const root = "/uploads";

/** `POST /uploads` stores the body and returns a reference; `GET /uploads/ID` returns the content. */
export function answerUploads(
  request: NodeRequest,
  response: NodeResponse,
  path: string,
  port: UploadPort,
): boolean {
  const { method } = request;
  if (path === root && method === "POST") {
    void answerWith(request, response, port, (signal) => store(request, response, port, signal));
    return true;
  }
  if (path.startsWith(`${root}/`) && (method === "GET" || method === "HEAD")) {
    const id = path.slice(root.length + 1);
    void answerWith(request, response, port, (signal) => send(request, response, id, port, signal));
    return true;
  }
  return false;
}

async function answerWith(
  request: NodeRequest,
  response: NodeResponse,
  { log, bodyTimeoutMs, stopped }: UploadPort,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const late = AbortSignal.timeout(bodyTimeoutMs);
  try {
    await work(AbortSignal.any([gone.signal, stopped, late]));
  } catch (error) {
    if (gone.signal.aborted) return;
    if (response.headersSent) {
      // What is missing must not look like the end.
      log.error({ err: error }, "cannot send an upload");
      if ("stream" in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      else response.destroy();
      return;
    }
    endUnreadBody(request, response);
    answerError(response, late.aborted ? tooSlow(bodyTimeoutMs) : asConnectError(error, log));
  }
}

async function store(
  request: NodeRequest,
  response: NodeResponse,
  port: UploadPort,
  signal: AbortSignal,
): Promise<void> {
  const caller = authenticateBy(port, { name: "POST /uploads" }, exchanging, request.headers.authorization);
  port.readiness.refuseWhenStopping();
  const leave = port.admission.enter("call", caller.tenantId);
  try {
    const body = untilAborted(request, signal);
    const type = request.headers["content-type"] ?? "";
    answerJson(
      response,
      201,
      await port.uploads.put(caller.tenantId, type, body, baseOf(request, port.httpPort())),
    );
  } finally {
    leave();
  }
}

async function send(
  request: NodeRequest,
  response: NodeResponse,
  id: string,
  port: UploadPort,
  signal: AbortSignal,
): Promise<void> {
  const { uploads, admission, readiness } = port;
  const { authorization } = request.headers;
  const query = new URL(request.url ?? "", "http://hub").searchParams;
  const isSigned = query.has("s");
  const tenantId = isSigned
    ? ""
    : authenticateBy(port, { name: "GET /uploads" }, exchanging, authorization).tenantId;
  readiness.refuseWhenStopping();
  const leave = admission.enter("call", tenantId);
  try {
    const content = await (isSigned ? uploads.getSigned(id, query) : uploads.get(tenantId, id));
    writeHead(response, content);
    if (request.method === "HEAD") response.end();
    else await pipeline(content.read(), response, { signal });
  } finally {
    leave();
  }
}

/** Content of strangers: a browser stores it, and runs nothing of it as a page of the hub. */
function writeHead(response: NodeResponse, { mediaType, size, digest }: UploadContent): void {
  response.statusCode = 200;
  const headers = {
    "content-type": mediaType,
    "content-length": String(size),
    "content-disposition": "attachment",
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
    etag: `"${digest}"`,
  };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

async function* untilAborted(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  const pieces = body[Symbol.asyncIterator]();
  signal.throwIfAborted();
  for (;;) {
    const next = await Promise.race([pieces.next(), aborted]);
    if (next.done) return;
    yield next.value;
  }
}

/** The name that the caller reaches the hub by, which is trusted already, at the port for HTTP/1.1. */
function baseOf(request: NodeRequest, port: number): string {
  const host = request.headers.host ?? ("authority" in request ? request.authority : "") ?? "";
  const { hostname } = new URL(`http://${host || "127.0.0.1"}`);
  return `http://${hostname}:${port}`;
}

const codes: Readonly<Record<UploadError["code"], Code>> = {
  "BATON-UPLOAD-001": Code.InvalidArgument,
  "BATON-UPLOAD-002": Code.ResourceExhausted,
  "BATON-UPLOAD-003": Code.ResourceExhausted,
  "BATON-UPLOAD-004": Code.NotFound,
  "BATON-UPLOAD-005": Code.PermissionDenied,
};

function asConnectError(error: unknown, log: Logger): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof UploadError)
    return refuse({ code: codes[error.code], id: error.code, message: error.message, fix: error.fix });
  log.error({ err: error }, "an upload failed");
  return refuse({
    code: Code.Unavailable,
    id: "BATON-UPLOAD-006",
    message: "the upload could not be stored or read",
    fix: "try again; the hub's log has the reason",
  });
}

function tooSlow(bodyTimeoutMs: number): ConnectError {
  return refuse({
    code: Code.DeadlineExceeded,
    id: "BATON-UPLOAD-007",
    message: `the content did not arrive within ${bodyTimeoutMs} ms (limits.body_timeout)`,
    fix: "send it faster or in smaller parts, or raise the limit",
  });
}
