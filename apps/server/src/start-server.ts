import { setTimeout as delay } from "node:timers/promises";
import type { HubMode } from "@baton/kernel";
import { EgressFilter, type Hub } from "@baton/runtime";
import type { Logger } from "pino";
import { Admission } from "./border/admission.ts";
import { type KeyEntry, KeyRing } from "./border/keys.ts";
import { type RecordEvent, RefusedKeys } from "./border/refused-keys.ts";
import { isLoopback } from "./border/trusted-names.ts";
import { http1Server } from "./http/http1-server.ts";
import { http2Server } from "./http/http2-server.ts";
import { type Address, listen } from "./http/listen.ts";
import { OpenSockets } from "./http/open-sockets.ts";
import { handleHttp1, handleHttp2, type Port } from "./http/request-handler.ts";
import { defaultServerLimits, type ServerLimits } from "./limits.ts";
import { Operator } from "./operator/operator.ts";
import { PageFiles } from "./page/page-files.ts";
import { Readiness } from "./readiness.ts";
import { rpcServer } from "./rpc/serve-rpc.ts";
import { stopping } from "./rpc/stopping.ts";
import { ServerError } from "./server-error.ts";
import { serviceRoutes } from "./services/routes.ts";

export interface ServerConfig {
  /** Where gRPC is spoken: HTTP/2 in plain text. */
  readonly grpc: Address;
  /** Where HTTP/1.1 is spoken: JSON, server-sent events and probes. */
  readonly http: Address;
  /** Who may call. Without any, only the loopback is served: whoever reaches it may submit and watch. */
  readonly keys: readonly KeyEntry[];
  /** Whether callers need a key even when there is none; when there are some they always do. */
  readonly needsKeys?: boolean | undefined;
  /** What a person decides with on a server without keys. Without keys and without it, nobody can decide anything. */
  readonly operatorToken?: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly limits: ServerLimits;
  /** The folder of the built page; without one, none is served. */
  readonly page?: string | undefined;
  /** How strict the hub is; `/readyz` says it. */
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
  /** Says that it is not ready and takes no new calls; what is under way goes on. */
  stopTaking(): void;
  /** What `/readyz` says besides, without being any less ready. */
  warnWith(warnings: () => readonly string[]): void;
  /** Other keys are in force from the next call on. Streams of those that are gone are ended. */
  replaceKeys(entries: readonly KeyEntry[]): void;
  /** Ends streams at once, gives calls `graceMs` to be answered, and closes every connection. */
  close(graceMs: number): Promise<void>;
}

/** How soon streams end whose key has expired. */
const expiryLookMs = 1_000;

/** Puts the hub behind its API: gRPC at one port, HTTP/1.1 at another. Throws `ServerError`. */
export async function startServer({
  hub,
  config: given = {},
  log,
  filter = new EgressFilter(),
  recordEvent,
}: {
  readonly hub: Hub;
  readonly config?: Partial<ServerConfig>;
  readonly log: Logger;
  /** What everything passes that leaves; the usual one unless told. */
  readonly filter?: EgressFilter;
  /** Writes an entry about the hub itself; without it, refused keys are not on record. */
  readonly recordEvent?: RecordEvent;
}): Promise<StartedServer> {
  const config = { ...defaultServerConfig, ...given };
  const { limits } = config;
  refuseOpenDoors(config);
  const stopped = new AbortController();
  const readiness = new Readiness(hub, limits.retryAfterMs, filter, config.mode);
  const telling = { log, errors: filter.at("error") };
  const keys = new KeyRing(config.keys, config.needsKeys || config.keys.length > 0);
  const operator = new Operator(keys.inUse ? undefined : config.operatorToken);
  const refused =
    recordEvent &&
    new RefusedKeys(recordEvent, (err) => log.error({ err }, "a refused key is not on record"));
  const expiring = setInterval(() => keys.endExpired(), expiryLookMs).unref();
  const gate = { keys, operator, refused, admission: new Admission(limits), readiness, ...telling };
  const answering = {
    ...telling,
    nowMs: Date.now,
    callTimeoutMs: limits.callTimeoutMs,
    messageBytes: limits.messageBytes,
    stopped: stopped.signal,
  };
  const rpc = rpcServer(serviceRoutes(hub, gate, answering, limits), { limits, ...telling });
  const streams = { ...gate, hub, heartbeatMs: limits.heartbeatMs, stopped: stopped.signal };
  const page = config.page === undefined ? undefined : new PageFiles(config.page);
  let grpcAddress = urlOf(config.grpc);
  const portOf = ({ host, port }: Address): Port => ({
    ...{ rpc, log, page },
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
  grpcPort = portOf(grpcAt); // The one that was free, when none was named.
  const httpAt = await listen(http, config.http, "HTTP").then(
    (port) => ({ ...config.http, port }),
    (error) => {
      grpc.server.close();
      throw error;
    },
  );
  httpPort = portOf(httpAt);
  for (const server of [grpc.server, http]) {
    server.on("error", (error) => log.error({ err: error }, "a connection could not be taken"));
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

function refuseOpenDoors({ keys, needsKeys, grpc, http }: ServerConfig): void {
  const open = [grpc, http].find(({ host }) => !isLoopback(host));
  if (needsKeys || keys.length > 0 || open === undefined) return;
  throw new ServerError(
    "BATON-SERVER-002",
    `${open.host} can be reached by others, and there are no keys to tell them apart`,
    "add keys, or listen on 127.0.0.1; docs/how-to/secure-the-hub.md shows both",
  );
}

function closing(server: { close(done: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function urlOf({ host, port }: Address): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
