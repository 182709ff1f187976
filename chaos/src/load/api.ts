import { setTimeout as pause } from "node:timers/promises";
import { AuditService, ErrorDetailSchema, OrchestratorService, RegistryService } from "@baton/contract";
import { type Client, Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { limits, operatorToken } from "../limits.ts";

/** A client that survives restarts of the hub, because the address stays the same. */
export interface Api {
  readonly orchestrator: Client<typeof OrchestratorService>;
  readonly registry: Client<typeof RegistryService>;
  readonly audit: Client<typeof AuditService>;
  /** Aborted at the end of the run. */
  readonly signal: AbortSignal;
  close(): void;
}

export function openApi(baseUrl: string): Api {
  const sessionManager = new Http2SessionManager(baseUrl, {
    pingIntervalMs: 1_000,
    pingTimeoutMs: limits.callMs,
  });
  const transport = createGrpcTransport({ baseUrl, sessionManager, interceptors: [authorize] });
  const over = new AbortController();
  return {
    orchestrator: createClient(OrchestratorService, transport),
    registry: createClient(RegistryService, transport),
    audit: createClient(AuditService, transport),
    signal: over.signal,
    close: () => {
      over.abort();
      sessionManager.abort();
    },
  };
}

const authorize: Interceptor = (next) => (request) => {
  request.header.set("authorization", `Bearer ${operatorToken}`);
  return next(request);
};

/** The outcome is unknown: the hub is gone, or cannot store. */
const notAnswered = new Set([
  Code.Unavailable,
  Code.Aborted,
  Code.Canceled,
  Code.Internal,
  Code.Unknown,
  Code.DeadlineExceeded,
  Code.ResourceExhausted,
]);

export function isAnswer(error: unknown): boolean {
  return error instanceof ConnectError && (hasDetail(error) || !notAnswered.has(error.code));
}

/** Errors of the hub carry a detail, those of the connection do not. Unavailable calls are repeated in either case. */
function hasDetail(error: ConnectError): boolean {
  return error.code !== Code.Unavailable && error.findDetails(ErrorDetailSchema).length > 0;
}

/** Repeats a call until it is answered. Throws refusals, and when the run is over. */
export async function untilAnswered<Answer>(
  { signal }: Pick<Api, "signal">,
  call: (options: { readonly timeoutMs: number; readonly signal: AbortSignal }) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await call({ timeoutMs: limits.callMs, signal });
    } catch (error) {
      if (isAnswer(error) || signal.aborted) throw error;
      await pause(limits.retryCallMs);
    }
  }
}
