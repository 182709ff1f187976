import { randomUUID } from "node:crypto";
import { AgentEndpointSchema, AgentTransport } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { AgentOptions, CloseOptions } from "../api/definition.ts";
import { checkServeOptions } from "../check-definition.ts";
import { HealthMonitor } from "../health.ts";
import { heartbeatOf } from "../heartbeat.ts";
import { closedBeforeAttached, connectToHub } from "../hub-client.ts";
import { limits } from "../limits.ts";
import { manifestOf } from "../manifest.ts";
import { guarded, printBack, printProblem } from "../problem.ts";
import { onSignals } from "../process.ts";
import { StepCalls } from "../step-calls.ts";
import { startTimer } from "../time.ts";
import { announce } from "./announcement.ts";
import { AgentCalls } from "./calls.ts";
import { openGrpcEndpoint } from "./grpc-endpoint.ts";
import { openHttpJsonEndpoint } from "./http-json-endpoint.ts";

export interface ListenOptions {
  /** Default: 127.0.0.1. Without a token, everyone who reaches the port can give the agent tasks. */
  readonly host?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Default: grpc. */
  readonly transport?: "grpc" | "http-json";
  /** Required of callers as `authorization: Bearer <token>`. Default: none. */
  readonly token?: string;
  /** Where the hub reaches the agent. Default: `http://host:port`. */
  readonly uri?: string;
}

export interface ServeOptions extends AgentOptions {
  readonly listen?: ListenOptions;
  /** Register with the hub. Default: true. */
  readonly register?: boolean;
}

/** An agent that listens. */
export interface ServingAgent {
  readonly instanceId: string;
  /** The address that is registered with the hub. */
  readonly uri: string;
  readonly activeTasks: number;
  readonly queuedTasks: number;
  /** Resolves when the agent is closed. Rejects when the hub refuses it or is unreachable for too long. */
  readonly closed: Promise<void>;
  /** Accepts nothing more, waits for running tasks, and closes. Idempotent. */
  close(options?: CloseOptions): Promise<void>;
}

const transports = {
  grpc: { wire: AgentTransport.GRPC, open: openGrpcEndpoint },
  "http-json": { wire: AgentTransport.HTTP_JSON, open: openHttpJsonEndpoint },
} as const;

/** Listens for tasks and registers its address (A §3.4). Resolves when the hub knows the agent; rejects when it never will. */
export async function serveAgent(options: ServeOptions): Promise<ServingAgent> {
  checkServeOptions(options);
  const { host = "127.0.0.1", port = 0, transport = "grpc", uri, token } = options.listen ?? {};
  const instanceId = options.instanceId ?? randomUUID();
  const manifest = manifestOf(options);
  const onProblem = guarded(options.onProblem ?? printProblem);
  const health = new HealthMonitor(options);
  const hub = connectToHub(options);
  const stepCalls =
    options.register === false ? undefined : new StepCalls(hub, { packId: options.pack, instanceId });
  const calls = new AgentCalls({ definition: options, instanceId, health, onProblem, stepCalls });
  const { workload } = calls;
  const endpoint = await transports[transport].open(calls, { host, port, token });
  const address = uri ?? `http://${host.includes(":") ? `[${host}]` : host}:${endpoint.port}`;
  const endpointInfo = create(AgentEndpointSchema, { uri: address, transport: transports[transport].wire });

  const leaving = new AbortController();
  const known = Promise.withResolvers<void>();
  let isKnown = options.register === false;
  const heartbeat = () =>
    heartbeatOf({
      ...{ definition: options, instanceId, workload, health },
      leaseMs: limits.leaseMs,
      endpoint: endpointInfo,
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
    calls.close();
    await workload.stopAll("closing");
    await endpoint.close();
    hub.disconnect();
  });
  let closing: Promise<void> | undefined;
  const close = ({ graceMs = limits.closeMs }: CloseOptions = {}) => {
    closing ??= finish(calls, graceMs).then(() => {
      leaving.abort();
      return closed;
    });
    return closing;
  };
  const stopListening = (options.handleSignals ?? true) ? onSignals(() => void close()) : () => {};

  const leftUnknown = closed.then(() => {
    if (!isKnown) throw closedBeforeAttached(hub.address);
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

/** Waits for running attempts, then stops those that exceed the grace; their callers receive a result. */
async function finish(calls: AgentCalls, graceMs: number): Promise<void> {
  calls.close();
  const grace = startTimer(graceMs);
  await Promise.race([calls.workload.idle(), grace.over]);
  grace.clear();
  await calls.workload.stopAll("closing");
}

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
