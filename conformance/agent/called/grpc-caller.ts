import { AgentService, defaultLimits } from "@baton/contract";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { withNewerFields } from "../newer-fields.ts";
import { authorization, type Caller, Refused } from "./caller.ts";

const refusals = new Set([
  Code.InvalidArgument,
  Code.FailedPrecondition,
  Code.Unauthenticated,
  Code.PermissionDenied,
]);

/** AgentService over gRPC. */
export function grpcCaller(address: string, token: string | undefined): Caller {
  const sessionManager = new Http2SessionManager(address);
  const transport = createGrpcTransport({
    baseUrl: address,
    sessionManager,
    readMaxBytes: defaultLimits.maxBytes,
    writeMaxBytes: defaultLimits.maxBytes,
  });
  const client = createClient(AgentService, transport);
  return {
    async *run(envelope, { hasNewerFields, signal, token: sentToken }) {
      const headers = authorization(sentToken);
      const request = { envelope: hasNewerFields ? withNewerFields(envelope) : envelope };
      try {
        yield* client.runAgent(request, { signal, headers });
      } catch (error) {
        if (!(error instanceof ConnectError) || signal.aborted) throw error;
        if (error.code === Code.Canceled) return;
        const isUnauthenticated = error.code === Code.Unauthenticated;
        if (refusals.has(error.code)) throw new Refused(describe(error), isUnauthenticated);
        throw new Error(describe(error));
      }
    },
    async cancel(request, signal) {
      const { outcome } = await client.cancelAgent(request, { signal, headers: authorization(token) });
      return outcome;
    },
    close: () => sessionManager.abort(),
  };
}

function describe(error: ConnectError): string {
  return `${Code[error.code]} ${error.rawMessage}`.trim();
}
