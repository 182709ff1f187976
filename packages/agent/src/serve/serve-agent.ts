import { randomUUID } from "node:crypto";
import { AgentEndpointSchema, AgentTransport } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { AgentOptions, CloseOptions } from "../agent-options.ts";
import { checkServeOptions } from "../check-definition.ts";
import { heartbeatOf } from "../heartbeat.ts";
import { connectToHub, leftBeforeLetIn } from "../hub-client.ts";
import { limits } from "../limits.ts";
import { manifestOf } from "../manifest.ts";
import { guarded, printBack, printProblem } from "../problem.ts";
import { onSignals } from "../signals.ts";
import { startTimer } from "../timer.ts";
import { Vitals } from "../vitals.ts";
import { announce } from "./announcement.ts";
import { Desk } from "./desk.ts";
import { openGrpcEndpoint } from "./grpc-endpoint.ts";
import { openHttpJsonEndpoint } from "./http-json-endpoint.ts";

export interface ListenOptions {
  /** 127.0.0.1 unless stated. Without a token, whoever reaches the port can give the agent work. */
  readonly host?: string;
  /** Any free one unless stated. */
  readonly port?: number;
  /** grpc unless stated. */
  readonly transport?: "grpc" | "http-json";
  /** What callers have to show as `authorization: Bearer <token>`; nothing unless stated. */
  readonly token?: string;
  /** Where the hub reaches the agent, when that is not `http://host:port`. */
  readonly uri?: string;
}

export interface ServeOptions extends AgentOptions {
  readonly listen?: ListenOptions;
  /** Whether the agent makes itself known to the hub; true unless stated. */
  readonly register?: boolean;
}

/** An agent that listens. */
export interface ServingAgent {
  readonly instanceId: string;
  /** Where the hub is told to call it. */
  readonly uri: string;
  readonly activeTasks: number;
  readonly queuedTasks: number;
  /** Ends when the agent has left; fails when the hub shut it out or was away for too long. */
  readonly closed: Promise<void>;
  /** Finishes what runs, takes nothing more, and leaves. */
  close(options?: CloseOptions): Promise<void>;
}

const transports = {
  grpc: { wire: AgentTransport.GRPC, open: openGrpcEndpoint },
  "http-json": { wire: AgentTransport.HTTP_JSON, open: openHttpJsonEndpoint },
} as const;

/** Listens for tasks, and keeps the hub told where (A §3.4). Resolves when the hub knows the agent; rejects when it never will. */
export async function serveAgent(options: ServeOptions): Promise<ServingAgent> {
  checkServeOptions(options);
  const { host = "127.0.0.1", port = 0, transport = "grpc", uri, token } = options.listen ?? {};
  const instanceId = options.instanceId ?? randomUUID();
  const manifest = manifestOf(options);
  const onProblem = guarded(options.onProblem ?? printProblem);
  const vitals = new Vitals(options);
  const desk = new Desk({ definition: options, instanceId, vitals, onProblem });
  const { workload } = desk;
  const endpoint = await transports[transport].open(desk, { host, port, token });
  const address = uri ?? `http://${host.includes(":") ? `[${host}]` : host}:${endpoint.port}`;
  const where = create(AgentEndpointSchema, { uri: address, transport: transports[transport].wire });

  const leaving = new AbortController();
  const known = Promise.withResolvers<void>();
  let isKnown = options.register === false;
  const hub = connectToHub(options);
  const heartbeat = () =>
    heartbeatOf({
      ...{ definition: options, instanceId, workload, vitals },
      leaseMs: limits.leaseMs,
      endpoint: where,
    });
  const announced =
    (options.register ?? true)
      ? announce({
          ...{ hub, manifest, heartbeat, onProblem },
          onBack: options.onProblem ? () => {} : printBack,
          giveUpAfterMs: options.giveUpAfterMs,
          signal: leaving.signal,
          onKnown: () => {
            isKnown = true;
            known.resolve();
          },
        })
      : until(leaving.signal);
  if (isKnown) known.resolve();

  const closed = announced.finally(async () => {
    stopListening();
    desk.close();
    await workload.stopAll("closing");
    await endpoint.close();
    hub.disconnect();
  });
  let closing: Promise<void> | undefined;
  const close = ({ graceMs = limits.closeMs }: CloseOptions = {}) => {
    closing ??= finish(desk, graceMs).then(() => {
      leaving.abort();
      return closed;
    });
    return closing;
  };
  const stopListening = (options.handleSignals ?? true) ? onSignals(() => void close()) : () => {};

  const leftUnknown = closed.then(() => {
    if (!isKnown) throw leftBeforeLetIn(hub.address);
  });
  await Promise.race([known.promise, leftUnknown]);
  return {
    instanceId,
    uri: address,
    closed,
    close,
    get activeTasks() {
      return workload.active;
    },
    get queuedTasks() {
      return workload.queued;
    },
  };
}

/** Lets what runs end within the grace; what does not is stopped, and its callers hear so. */
async function finish(desk: Desk, graceMs: number): Promise<void> {
  desk.close();
  const grace = startTimer(graceMs);
  await Promise.race([desk.workload.idle(), grace.over]);
  grace.clear();
  await desk.workload.stopAll("closing");
}

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
