import {
  AuditService,
  InspectionService,
  KnowledgeService,
  OrchestratorService,
  RegistryService,
} from "@baton/contract/forms";
import { type Client, Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { limits } from "../limits.ts";
import { boundCalls, type CallLimits } from "./bound-calls.ts";

export interface Hub {
  readonly address: URL;
  readonly orchestrator: Client<typeof OrchestratorService>;
  readonly registry: Client<typeof RegistryService>;
  readonly audit: Client<typeof AuditService>;
  readonly inspection: Client<typeof InspectionService>;
  readonly knowledge: Client<typeof KnowledgeService>;
  /** Ends the connection and its streams. */
  close(): void;
}

/** How long a connection may be silent before it is pinged, so that a watcher notices when the hub is gone. */
const pingIntervalMs = 20_000;

/**
 * Widens the window of a connection, so that a hub with many messages does not wait for every 64 KiB to be read; and fails
 * a stream that the hub closes in good order before it answers, which Connect would wait for without end.
 */
class HubSessions extends Http2SessionManager {
  override async request(...parameters: Parameters<Http2SessionManager["request"]>) {
    const stream = await super.request(...parameters);
    stream.session?.setLocalWindowSize(limits.windowBytes);
    let isAnswered = false;
    stream.once("response", () => {
      isAnswered = true;
    });
    stream.once("close", () => {
      if (isAnswered || stream.rstCode !== 0) return;
      stream.emit("error", new ConnectError("the hub closed the connection", Code.Unavailable));
    });
    return stream;
  }
}

/** Sends nothing before the first call. */
export function connectHub(address: URL, apiKey: string | undefined, callLimits: CallLimits = limits): Hub {
  const settings = { initialWindowSize: limits.windowBytes };
  const sessionManager = new HubSessions(address, { pingIntervalMs }, { settings });
  const transport = createGrpcTransport({
    baseUrl: address.origin,
    sessionManager,
    readMaxBytes: limits.messageBytes,
    writeMaxBytes: limits.messageBytes,
    interceptors: [boundCalls(callLimits), ...(apiKey === undefined ? [] : [authorize(apiKey)])],
  });
  return {
    address,
    orchestrator: createClient(OrchestratorService, transport),
    registry: createClient(RegistryService, transport),
    audit: createClient(AuditService, transport),
    inspection: createClient(InspectionService, transport),
    knowledge: createClient(KnowledgeService, transport),
    close: () => sessionManager.abort(),
  };
}

function authorize(apiKey: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${apiKey}`);
    return next(request);
  };
}
