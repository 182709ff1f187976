import { setTimeout as delay } from "node:timers/promises";
import type { HubMode } from "@baton/kernel";
import { EgressFilter, type Hub, type Uploads } from "@baton/runtime";
import type { Logger } from "pino";
import { Admission } from "./border/admission.ts";
import { type KeyEntry, KeyRing } from "./border/keys.ts";
import { type RecordEvent, RefusedKeys } from "./border/refused-keys.ts";
import { handleHttp1, handleHttp2, type Port } from "./http/request-handler.ts";
import { defaultServerLimits, type ServerLimits } from "./limits.ts";
import { Operator } from "./operator/operator.ts";
import { PageFiles } from "./page/page-files.ts";
import { Readiness, stopping } from "./readiness.ts";
import { rpcServer } from "./rpc/serve-rpc.ts";
import { ServerError } from "./server-error.ts";
import { serviceRoutes } from "./services/routes.ts";
import { type Address, isLoopback, listen } from "./transport/listen.ts";
import { http1Server, http2Server, OpenSockets } from "./transport/servers.ts";

export interface ServerConfig {
  /** For gRPC over HTTP/2 in plain text. */
  readonly grpc: Address;
  /** For HTTP/1.1: JSON, server-sent events and probes. */
  readonly http: Address;
  /** Without keys the server listens on the loopback only, where anyone may submit and watch. */
  readonly keys: readonly KeyEntry[];
  /** Requires a key even when `keys` is empty. */
  readonly needsKeys?: boolean | undefined;
  /** The credential for decisions on a server without keys; without both, nobody can decide. */
  readonly operatorToken?: string | undefined;
  /** Whether workspaces are limited to listed folders. Otherwise only a caller with a credential may name one. */
  readonly hasListedWorkspaces?: boolean;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly limits: ServerLimits;
  /** The folder of the built page; undefined serves none. */
  readonly page?: string | undefined;
  /** For `/readyz`. */
  readonly mode?: HubMode;
}

export const defaultServerConfig: ServerConfig = {
  grpc: { host: "127.0.0.1", port: 7433 },
  http: { host: "127.0.0.1", port: 7434 },
  keys: [],
  allowedHosts: [],
  allowedOrigins: [],
  limits: defaultServerLimits,
};

export interface StartedServer {
  /** Such as `http://127.0.0.1:7433`. */
  readonly grpcAddress: string;
  readonly httpAddress: string;
  /** Reports not ready and refuses new calls; running ones continue. */
  stopTaking(): void;
  /** Adds warnings to `/readyz`, which stays ready. */
  warnWith(warnings: () => readonly string[]): void;
  /** In force from the next call on; ends the streams of removed keys. */
  replaceKeys(entries: readonly KeyEntry[]): void;
  /** Ends streams at once, gives calls `graceMs` to complete, and closes all connections. */
  close(graceMs: number): Promise<void>;
}

/** The interval at which streams of expired keys are ended. */
const expiryCheckMs = 1_000;

/** Serves the API of the hub: gRPC at one port, HTTP/1.1 at another. Throws `ServerError`. */
export async function startServer({
  hub,
  config: given = {},
  log,
  uploads,
  webhookKeys = () => [],
  filter = new EgressFilter(),
  recordEvent,
}: {
  readonly hub: Hub;
  readonly config?: Partial<ServerConfig>;
  readonly log: Logger;
  /** Binary content of tenants; without it there are no uploads. */
  readonly uploads?: Uploads | undefined;
  /** The public keys of signatures of webhooks. */
  readonly webhookKeys?: () => readonly string[];
  /** Redacts everything that leaves the server. */
  readonly filter?: EgressFilter;
  /** Writes audit entries about the hub itself; without it, refused keys are not recorded. */
  readonly recordEvent?: RecordEvent;
}): Promise<StartedServer> {
  const config = { ...defaultServerConfig, ...given };
  const { limits } = config;
  refuseWithoutKeys(config);
  const stopped = new AbortController();
  const readiness = new Readiness(hub, limits.retryAfterMs, filter, config.mode);
  const errorContext = { log, errors: filter.at("error") };
  const keys = new KeyRing(config.keys, config.needsKeys || config.keys.length > 0);
  const operator = new Operator(keys.inUse ? undefined : config.operatorToken);
  const refused =
    recordEvent && new RefusedKeys(recordEvent, (err) => log.error({ err }, "cannot record a refused key"));
  const expiring = setInterval(() => keys.endExpired(), expiryCheckMs).unref();
  const authorization = {
    keys,
    operator,
    refused,
    admission: new Admission(limits),
    readiness,
    ...errorContext,
  };
  const options = {
    ...errorContext,
    nowMs: Date.now,
    callTimeoutMs: limits.callTimeoutMs,
    messageBytes: limits.messageBytes,
    pageSize: limits.pageSize,
    hasListedWorkspaces: config.hasListedWorkspaces ?? false,
    stopped: stopped.signal,
  };
  const rpc = rpcServer(serviceRoutes(hub, authorization, options, limits), { limits, ...errorContext });
  const streams = { ...authorization, hub, heartbeatMs: limits.heartbeatMs, stopped: stopped.signal };
  const page = config.page === undefined ? undefined : new PageFiles(config.page);
  let grpcAddress = urlOf(config.grpc);
  let httpPortNumber = config.http.port;
  const uploadPort = uploads && {
    ...{ ...authorization, uploads, bodyTimeoutMs: limits.bodyTimeoutMs, stopped: stopped.signal },
    httpPort: () => httpPortNumber,
  };
  const sap = { ...streams, bodyTimeoutMs: limits.bodyTimeoutMs };
  const portOf = ({ host, port }: Address): Port => ({
    ...{ rpc, log, page, uploads: uploadPort, sap, webhookKeys },
    streams: { ...streams, grpcAddress },
    names: {
      isLoopback: isLoopback(host),
      port,
      allowedHosts: config.allowedHosts.map((name) => name.toLowerCase()),
      allowedOrigins: config.allowedOrigins.map((origin) => origin.toLowerCase()),
    },
  });

  let grpcPort = portOf(config.grpc);
  let httpPort = portOf(config.http);
  const grpc = http2Server(limits, (request, response) => handleHttp2(request, response, grpcPort));
  const http = http1Server(limits, (request, response) => handleHttp1(request, response, httpPort));
  const sockets = [new OpenSockets(grpc.server), new OpenSockets(http)];
  const grpcAt = { ...config.grpc, port: await listen(grpc.server, config.grpc, "gRPC") };
  grpcAddress = urlOf(grpcAt);
  grpcPort = portOf(grpcAt); // Port 0 takes any free one.
  const httpAt = await listen(http, config.http, "HTTP").then(
    (port) => ({ ...config.http, port }),
    (error) => {
      grpc.server.close();
      throw error;
    },
  );
  httpPortNumber = httpAt.port;
  httpPort = portOf(httpAt);
  for (const server of [grpc.server, http]) {
    server.on("error", (error) => log.error({ err: error }, "cannot accept a connection"));
  }

  return {
    grpcAddress,
    httpAddress: urlOf(httpAt),
    stopTaking: () => {
      readiness.stop();
      refused?.close();
    },
    warnWith: (warnings) => readiness.warnWith(warnings),
    replaceKeys: (entries) => keys.replace(entries),
    async close(graceMs) {
      readiness.stop();
      clearInterval(expiring);
      const closed = Promise.all([closing(grpc.server), closing(http)]);
      stopped.abort(stopping(limits.retryAfterMs));
      grpc.closeSessions();
      http.closeIdleConnections();
      const timeIsUp = new AbortController();
      await Promise.race([closed, delay(graceMs, undefined, { signal: timeIsUp.signal })]);
      timeIsUp.abort();
      for (const open of sockets) open.destroy();
      await closed;
    },
  };
}

function refuseWithoutKeys({ keys, needsKeys, grpc, http }: ServerConfig): void {
  const open = [grpc, http].find(({ host }) => !isLoopback(host));
  if (needsKeys || keys.length > 0 || open === undefined) return;
  throw new ServerError(
    "BATON-SERVER-002",
    `${open.host} is reachable from other machines, and no keys are configured`,
    "add keys, or listen on 127.0.0.1; see docs/how-to/secure-the-hub.md",
  );
}

function closing(server: { close(done: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function urlOf({ host, port }: Address): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
