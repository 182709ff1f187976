import { randomUUID } from "node:crypto";
import {
  defaultLimits,
  type Escalation,
  OrchestratorService,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { ClientError } from "./client-error.ts";
import type { Link } from "./link.ts";
import { Patience } from "./patience.ts";
import { RunningWork } from "./run.ts";
import type { ConnectOptions, Hub, Question, RunOptions } from "./types.ts";

export const defaults = {
  hub: "http://127.0.0.1:7433",
  callTimeoutMs: 30_000,
  outageMs: 300_000,
  /** A silent connection is pinged, so that a hub that is gone is noticed. */
  pingIntervalMs: 20_000,
  questions: 1_000,
} as const;

/** Connects to a hub. Nothing is sent before the first call. */
export function connect(options: ConnectOptions = {}): Hub {
  const { callTimeoutMs = defaults.callTimeoutMs, outageMs = defaults.outageMs } = options;
  const address = addressOf(options.hub ?? (process.env.BATON_HUB || defaults.hub));
  const key = options.key ?? process.env.BATON_API_KEY;
  const closed = new AbortController();
  const sessionManager = new Http2SessionManager(address, { pingIntervalMs: defaults.pingIntervalMs });
  const transport = createGrpcTransport({
    baseUrl: address,
    sessionManager,
    interceptors: key ? [withKey(key)] : [],
    readMaxBytes: defaultLimits.maxBytes,
    writeMaxBytes: defaultLimits.maxBytes,
  });
  const orchestrator = createClient(OrchestratorService, transport);
  const link: Link = {
    orchestrator,
    closed: closed.signal,
    patience: (signal) =>
      new Patience(outageMs, signal ? AbortSignal.any([signal, closed.signal]) : closed.signal),
    async call(attempt, signal) {
      if (closed.signal.aborted) throw new ClientError("BATON-CLIENT-004", "the client is closed");
      const patience = link.patience(signal);
      for (;;) {
        try {
          return await attempt({ timeoutMs: callTimeoutMs, ...(signal && { signal }) });
        } catch (error) {
          await patience.wait(error);
        }
      }
    },
    async questions(filter) {
      const request = { filter: `resolved = false${filter}`, pageSize: defaults.questions };
      const { escalations } = await link.call((call) => orchestrator.listEscalations(request, call));
      return escalations.map((escalation) => questionOf(link, escalation));
    },
  };
  return {
    async run(work, runOptions) {
      const request = requestOf(work, runOptions);
      const { pipeline } = await link.call((call) => orchestrator.submitTask(request, call));
      return new RunningWork(link, pipeline?.pipelineId ?? "");
    },
    get: (runId) => new RunningWork(link, runId),
    questions: () => link.questions(""),
    close() {
      closed.abort(new ClientError("BATON-CLIENT-004", "the client is closed"));
      sessionManager.abort();
    },
  };
}

/** The key makes the request safe to repeat: the hub takes it once. */
function requestOf(
  work: string | { readonly taskType: string },
  { title, accept, inputs, key = randomUUID(), task = {} }: RunOptions,
): SubmitTaskRequest {
  return create(SubmitTaskRequestSchema, {
    ...task,
    idempotencyKey: key,
    plan:
      typeof work === "string"
        ? { case: "templateId", value: work }
        : { case: "taskType", value: work.taskType },
    contract: { taskId: key, title, acceptanceCriteria: [...accept] },
    ...(inputs && { inputs }),
  });
}

function questionOf(link: Link, escalation: Escalation): Question {
  const { escalationId, pipelineId, snapshot } = escalation;
  return {
    id: escalationId,
    runId: pipelineId,
    problem: snapshot?.problem ?? "",
    options: snapshot?.options ?? [],
    escalation,
    async answer(resolution, reason = "") {
      const request = { escalationId, resolution, reason };
      await link.call((call) => link.orchestrator.resolveEscalation(request, call));
    },
  };
}

function addressOf(text: string): string {
  const url = URL.parse(text);
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return url.href.replace(/\/$/, "");
  throw new ClientError("BATON-CLIENT-001", "the address of the hub must begin with http:// or https://");
}

function withKey(key: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${key}`);
    return next(request);
  };
}
