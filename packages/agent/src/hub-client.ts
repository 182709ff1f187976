import type { ClientHttp2Stream } from "node:http2";
import { defaultLimits, ErrorDetailSchema, RegistryService } from "@baton/contract";
import { type Client, Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { AgentError } from "./agent-error.ts";
import { limits } from "./limits.ts";
import type { UploadClient } from "./uploads/binary.ts";
import { hubUploads } from "./uploads/hub-uploads.ts";

export const defaultHub = "http://127.0.0.1:7433";

export interface HubOptions {
  /** The hub's gRPC address. Default: BATON_HUB, else `http://127.0.0.1:7433`. */
  readonly hub?: string;
  /** The API key. Default: BATON_API_KEY, else none. */
  readonly key?: string;
}

export interface HubClient {
  readonly address: string;
  /** Binary content, over a connection of its own. */
  readonly uploads: UploadClient;
  readonly registry: Client<typeof RegistryService>;
  /** Opens a gRPC stream. */
  request(path: string): Promise<ClientHttp2Stream>;
  /** Data arrived on a stream: no ping is needed for a while. */
  noteAlive(stream: ClientHttp2Stream): void;
  /** Closes the connection and all its streams. */
  disconnect(): void;
}

export function connectToHub({ hub, key }: HubOptions): HubClient {
  const address = addressOf(hub ?? (process.env.BATON_HUB || defaultHub));
  const basePath = new URL(address).pathname.replace(/\/$/, "");
  const apiKey = key ?? process.env.BATON_API_KEY;
  const sessionManager = new Http2SessionManager(
    address,
    { pingIntervalMs: limits.pingMs, pingTimeoutMs: limits.pingAnswerMs },
    { settings: { initialWindowSize: limits.windowBytes } },
  );
  const headers = {
    "content-type": "application/grpc+proto",
    te: "trailers",
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  const transport = createGrpcTransport({
    baseUrl: address,
    sessionManager,
    interceptors: apiKey ? [withKey(apiKey)] : [],
    readMaxBytes: defaultLimits.maxBytes,
    writeMaxBytes: defaultLimits.maxBytes,
    // Node loses calls that a hub cuts off by GOAWAY and close: without a deadline they would never settle.
    defaultTimeoutMs: limits.answerMs,
    // Messages are small and hubs are near, so compression costs more time than it saves.
    acceptCompression: [],
  });
  return {
    address,
    uploads: hubUploads(address, apiKey),
    registry: createClient(RegistryService, transport),
    request: async (path) => {
      const stream = await sessionManager.request("POST", `${basePath}${path}`, headers, {});
      stream.session?.setLocalWindowSize(limits.windowBytes);
      return stream;
    },
    noteAlive: (stream) => sessionManager.notifyResponseByteRead(stream),
    disconnect: () => sessionManager.abort(),
  };
}

function addressOf(text: string): string {
  const url = URL.parse(text);
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return url.href.replace(/\/$/, "");
  throw new AgentError("BATON-SDK-001", "the address of the hub must begin with http:// or https://", {
    at: "hub",
    fix: `set BATON_HUB or the option hub, such as ${defaultHub}`,
  });
}

function withKey(key: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${key}`);
    return next(request);
  };
}

const permanentCodes = new Set([
  Code.InvalidArgument,
  Code.Unauthenticated,
  Code.PermissionDenied,
  Code.FailedPrecondition,
]);

/** Whether the hub would refuse a retry too. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ConnectError && permanentCodes.has(error.code);
}

/** The agent was closed while it still waited for the hub. */
export function closedBeforeAttached(address: string): AgentError {
  return new AgentError("BATON-SDK-003", "the agent was closed before the hub accepted it", { at: address });
}

const keyFix = "set BATON_API_KEY, or the option key, to a key of this hub with the role agent";

/** What the hub answered, with its own fix if it named one. */
export function refusalError(address: string, error: unknown): AgentError {
  const { message, fix } = hubMessage(error);
  // The fix of the hub names a header, which authors of agents never see.
  const needsKey = error instanceof ConnectError && error.code === Code.Unauthenticated;
  return new AgentError("BATON-SDK-002", `the hub refused the agent: ${message}`, {
    at: address,
    cause: withoutDetails(error),
    ...(needsKey ? { fix: keyFix } : fix && { fix }),
  });
}

/** Drops the encoded details: the error of the SDK has their content already. */
export function withoutDetails(error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error;
  const plain = new ConnectError(error.rawMessage, error.code);
  plain.stack = error.stack ?? plain.message;
  return plain;
}

export function hubMessage(error: unknown): { readonly message: string; readonly fix: string } {
  if (!(error instanceof ConnectError)) {
    return { message: error instanceof Error ? error.message : String(error), fix: "" };
  }
  const [detail] = error.findDetails(ErrorDetailSchema);
  return {
    message: detail ? `${detail.code} ${detail.message}` : error.rawMessage || Code[error.code],
    fix: detail?.fix ?? "",
  };
}

/** Throws `AgentError` for a message that is larger than the hub accepts. */
export function checkMessageSize(bytes: number, kind: string | undefined): void {
  if (bytes <= defaultLimits.maxBytes) return;
  const message = `${bytes} bytes are more than the ${defaultLimits.maxBytes} that the hub accepts`;
  throw new AgentError("BATON-SDK-005", message, { at: `a message of kind ${kind}` });
}
