import { type IncomingMessage, request } from "node:http";
import type { ReferenceLimits } from "../limits.ts";
import { Unreadable } from "../unreadable.ts";
import type { Target } from "./guard.ts";
import { openSocket, type Trust } from "./open-socket.ts";

export const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface RequestParts {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RequestContext {
  readonly limits: Pick<ReferenceLimits, "addresses" | "connectMs" | "headerBytes" | "headerCount">;
  readonly trust: Trust;
  readonly signal: AbortSignal;
}

/** One request on its own connection: no environment variable, proxy or agent affects it. */
export async function requestOnce(
  target: Target,
  { method = "GET", headers = {}, body = "" }: RequestParts,
  { limits, trust, signal }: RequestContext,
): Promise<IncomingMessage> {
  const socket = await openSocket(target, limits, trust, signal);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { url } = target;
  const fixed = { host: url.host, "accept-encoding": "identity", connection: "close" };
  const outgoing = request({
    createConnection: () => socket,
    path: url.pathname + url.search,
    method,
    headers: { accept: "*/*", ...headers, ...fixed },
    maxHeaderSize: limits.headerBytes,
    signal,
  });
  outgoing.maxHeadersCount = limits.headerCount;
  outgoing.once("response", resolve).on("error", reject);
  outgoing.once("upgrade", (_, upgraded) => {
    upgraded.destroy();
    reject(new Unreadable("its server requests another protocol"));
  });
  outgoing.end(body);
  return promise;
}
