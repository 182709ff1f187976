import { EgressFilter, type Hub, type Uploads } from "@baton/runtime";
import {
  defaultServerLimits,
  type ServerConfig,
  type ServerLimits,
  type StartedServer,
  startServer,
} from "@baton/server";
import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { onTestFinished } from "vitest";
import { createLog } from "../src/log.ts";
import { makeOperatorToken } from "../src/operator/token-file.ts";
import { hubDouble } from "./hub-double.ts";

export interface RunningServer extends StartedServer {
  /** Lines of the log, parsed. */
  readonly log: readonly Record<string, unknown>[];
  /** A client of a service over gRPC, which ends with the test: the operator's unless a key is given; null has none. */
  client<Service extends DescService>(service: Service, key?: string | null): Client<Service>;
  /** Calls a method by its path with JSON over HTTP/1.1, without a credential unless the headers have one. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export type TestConfig = Partial<Omit<ServerConfig, "limits">> & { readonly limits?: Partial<ServerLimits> };

/** Of every server without keys. */
export const operatorToken = makeOperatorToken();

const anyPort = { host: "127.0.0.1", port: 0 };

/** A server on free ports that ends with the test. */
export async function runServer(
  hub: Hub = hubDouble(),
  { limits, ...config }: TestConfig = {},
  filter = new EgressFilter(),
  uploads?: Uploads,
): Promise<RunningServer> {
  const log: Record<string, unknown>[] = [];
  const server = await startServer({
    hub,
    filter,
    uploads,
    config: {
      grpc: anyPort,
      http: anyPort,
      operatorToken,
      ...config,
      limits: { ...defaultServerLimits, ...limits },
    },
    log: createLog("debug", filter, { write: (line: string) => log.push(JSON.parse(line)) }),
  });
  onTestFinished(() => server.close(0));
  return {
    ...server,
    log,
    client(service, key = config.keys ? null : operatorToken) {
      const sessionManager = new Http2SessionManager(server.grpcAddress);
      onTestFinished(() => sessionManager.abort());
      const interceptors = key === null ? [] : [withKey(key)];
      return createClient(
        service,
        createGrpcTransport({ baseUrl: server.grpcAddress, sessionManager, interceptors }),
      );
    },
    post: (path, body, headers = {}) =>
      fetch(`${server.httpAddress}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}

export function withKey(key: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${key}`);
    return next(request);
  };
}

/** The smallest task that can be submitted. */
export const smallTask = {
  idempotencyKey: "key-1",
  taskType: "implement",
  contract: { taskId: "T-1", title: "Limit login attempts", acceptanceCriteria: ["the sixth is refused"] },
};

/** The same for a client of gRPC. */
export const smallTaskMessage = {
  idempotencyKey: smallTask.idempotencyKey,
  plan: { case: "taskType", value: smallTask.taskType } as const,
  contract: smallTask.contract,
};
