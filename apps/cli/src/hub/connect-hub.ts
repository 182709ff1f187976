import { AuditService, InspectionService, OrchestratorService, RegistryService } from "@baton/contract/forms";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { limits } from "../limits.ts";

export interface Hub {
  readonly address: URL;
  readonly orchestrator: Client<typeof OrchestratorService>;
  readonly registry: Client<typeof RegistryService>;
  readonly audit: Client<typeof AuditService>;
  readonly inspection: Client<typeof InspectionService>;
  /** Ends the connection, and with it every stream. */
  close(): void;
}

/** A silent connection is asked for a sign of life, so that a watcher notices when the hub is gone. */
const pingIntervalMs = 20_000;

/** What the hub may send before it is read: one that has much to tell does not wait for every 64 KiB of it to be fetched. */
class WideSessions extends Http2SessionManager {
  override async request(...asked: Parameters<Http2SessionManager["request"]>) {
    const stream = await super.request(...asked);
    stream.session?.setLocalWindowSize(limits.windowBytes);
    return stream;
  }
}

/** Nothing is sent before the first call. */
export function connectHub(address: URL, apiKey: string | undefined): Hub {
  const settings = { initialWindowSize: limits.windowBytes };
  const sessionManager = new WideSessions(address, { pingIntervalMs }, { settings });
  const transport = createGrpcTransport({
    baseUrl: address.origin,
    sessionManager,
    readMaxBytes: limits.messageBytes,
    writeMaxBytes: limits.messageBytes,
    interceptors: [boundCalls, ...(apiKey === undefined ? [] : [authorize(apiKey)])],
  });
  return {
    address,
    orchestrator: createClient(OrchestratorService, transport),
    registry: createClient(RegistryService, transport),
    audit: createClient(AuditService, transport),
    inspection: createClient(InspectionService, transport),
    close: () => sessionManager.abort(),
  };
}

function authorize(apiKey: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${apiKey}`);
    return next(request);
  };
}

/** A call is answered in time or fails; a stream lasts as long as it lasts. */
const boundCalls: Interceptor = (next) => (request) => {
  if (request.stream) return next(request);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limits.callTimeoutMs)]);
  return next({ ...request, signal });
};
