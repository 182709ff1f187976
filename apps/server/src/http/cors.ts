import type { ServerResponse } from "node:http";
import { cors } from "@connectrpc/connect";

const requestHeaders = [
  "authorization",
  "last-event-id",
  "traceparent",
  "x-correlation-id",
  ...cors.allowedHeaders,
].join(", ");
const responseHeaders = [
  "traceresponse",
  "x-correlation-id",
  "baton-sign-in",
  "baton-hub",
  "baton-tenant",
  ...cors.exposedHeaders,
].join(", ");
const preflightSeconds = 600;

/** Allows the scripts of a page to read the response. */
export function allowOrigin(origin: string, response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-expose-headers", responseHeaders);
  response.setHeader("vary", "origin");
}

export function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    "access-control-allow-methods": cors.allowedMethods.join(", "),
    "access-control-allow-headers": requestHeaders,
    "access-control-max-age": String(preflightSeconds),
  });
  response.end();
}
