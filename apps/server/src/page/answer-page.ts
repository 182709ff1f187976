import type { IncomingMessage, ServerResponse } from "node:http";
import { acceptsEncoding } from "../transport/accepts-encoding.ts";
import type { PageFile, PageFiles } from "./page-files.ts";

/** No foreign content, nothing inline, no frames: text of an agent is displayed and never executed. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const always: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** The names of assets contain a digest of their content; all other files are revalidated. */
const immutable = "public, max-age=31536000, immutable";
const revalidate = "no-cache";

const notBuilt = `<!doctype html><meta charset="utf-8"><title>Baton</title>
<p>The hub is running, but its page is not built yet: run <code>npx baton-page</code>, or start the hub with
<code>npx baton up</code>, and reload.</p>
`;

/** Answers with a file of the page, or with the page itself for its client-side routes (`/runs/p-1`). */
export function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  files: PageFiles,
): boolean {
  const file = path === "/index.html" ? undefined : files.find(path);
  if (file) send(request, response, file, path.startsWith("/assets/") ? immutable : revalidate);
  else if (!isPageAddress(request, path)) return false;
  else {
    const page = files.find("/index.html");
    if (page) send(request, response, page, revalidate);
    else sendNotBuilt(response);
  }
  return true;
}

/** A client-side route. Paths of services have a dot in the first segment, other paths of the API begin with a version. */
function isPageAddress({ headers }: IncomingMessage, path: string): boolean {
  if (path === "/") return true;
  return (headers.accept ?? "").includes("text/html") && /^\/(?!v\d+\/|assets\/)[\w-]+(\/|$)/.test(path);
}

function send(request: IncomingMessage, response: ServerResponse, file: PageFile, caching: string): void {
  const { encoding, body } = encodingFor(request, file);
  const headers = { ...always, "cache-control": caching, etag: file.etag, vary: "accept-encoding" };
  if (request.headers["if-none-match"] === file.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, {
    ...headers,
    "content-type": file.type,
    "content-length": body.length,
    ...(encoding && { "content-encoding": encoding }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function encodingFor({ headers }: IncomingMessage, { plain, gzip, br }: PageFile) {
  const accepted = headers["accept-encoding"];
  if (br && acceptsEncoding(accepted, "br")) return { encoding: "br", body: br };
  if (gzip && acceptsEncoding(accepted, "gzip")) return { encoding: "gzip", body: gzip };
  return { encoding: undefined, body: plain };
}

function sendNotBuilt(response: ServerResponse): void {
  response.writeHead(503, {
    ...always,
    "cache-control": "no-store",
    "content-type": "text/html; charset=utf-8",
  });
  response.end(notBuilt);
}
