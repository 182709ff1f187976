import { setTimeout as pause } from "node:timers/promises";
import { AuditService, ErrorDetailSchema, OrchestratorService, RegistryService } from "@baton/contract";
import { type Client, Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { limits, operatorToken } from "../limits.ts";

/** A client of the hub that outlives it: it knows the address, and finds whoever listens there. */
export interface Api {
  readonly orchestrator: Client<typeof OrchestratorService>;
  readonly registry: Client<typeof RegistryService>;
  readonly audit: Client<typeof AuditService>;
  /** Fires when the chaos is over. */
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

/** Nobody knows whether it was done: the hub is gone, or cannot store anything. */
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

/** What the hub itself said carries its code; what the connection said does not. Of the store it may be asked again. */
function hasDetail(error: ConnectError): boolean {
  return error.code !== Code.Unavailable && error.findDetails(ErrorDetailSchema).length > 0;
}

/** Asks until there is an answer. Throws what the hub refuses, and when the chaos is over. */
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
