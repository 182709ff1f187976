import type { IncomingMessage, ServerResponse } from "node:http";
import { acceptsEncoding } from "../transport/accepts-encoding.ts";
import type { PageFile, PageFiles } from "./page-files.ts";

/** Nothing from elsewhere, nothing inline, in nobody's frame: what an agent wrote is shown, and never run. */
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

/** Names of assets carry a digest of their content; everything else is asked for again. */
const forEver = "public, max-age=31536000, immutable";
const askAgain = "no-cache";

const notBuilt = `<!doctype html><meta charset="utf-8"><title>Baton</title>
<p>The hub is up. Its page is not built here yet: run <code>npx baton-page</code>, or start the hub with
<code>npx baton up</code>, and load this again.</p>
`;

/** Answers with a file of the page, or with the page itself for the addresses that it makes up (`/runs/p-1`). */
export function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  files: PageFiles,
): boolean {
  const file = path === "/index.html" ? undefined : files.find(path);
  if (file) send(request, response, file, path.startsWith("/assets/") ? forEver : askAgain);
  else if (!isPageAddress(request, path)) return false;
  else {
    const page = files.find("/index.html");
    if (page) send(request, response, page, askAgain);
    else sendNotBuilt(response);
  }
  return true;
}

/** What a person opens. Services have a dot in their first word, and what belongs to the API begins with its version. */
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
