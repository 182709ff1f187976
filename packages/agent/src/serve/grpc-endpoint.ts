import { createServer } from "node:http2";
import {
  AgentService,
  CancelAgentResponseSchema,
  ContractError,
  defaultLimits,
  ErrorDetailSchema,
  invalid,
  RunAgentRequestSchema,
  TaskEnvelopeSchema,
  toErrorDetail,
  validate,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { AgentError } from "../agent-error.ts";
import { momentOf } from "../work/time-left.ts";
import { type AgentCalls, Busy } from "./calls.ts";
import { type Endpoint, hasToken, type ListenAddress, listening } from "./endpoint.ts";

/** AgentService over gRPC on plaintext HTTP/2 (docs/reference/agent-protocols.md). */
export function openGrpcEndpoint(calls: AgentCalls, { host, port, token }: ListenAddress): Promise<Endpoint> {
  const checkToken: Interceptor = (next) => (request) => {
    if (hasToken(token, request.header.get("authorization"))) return next(request);
    throw new ConnectError("the call has no valid token", Code.Unauthenticated);
  };
  const handler = connectNodeAdapter({
    readMaxBytes: defaultLimits.maxBytes,
    writeMaxBytes: defaultLimits.maxBytes,
    interceptors: [checkToken],
    routes: (router) =>
      router.service(AgentService, {
        async *runAgent(request, { signal }) {
          try {
            const violations = validate(RunAgentRequestSchema, request, momentOf(request.envelope));
            if (violations.length > 0) throw invalid(RunAgentRequestSchema, violations);
            const transcript = calls.run(request.envelope ?? create(TaskEnvelopeSchema));
            yield* transcript.listen(signal);
            if (transcript.end === "cancelled")
              throw new ConnectError("the attempt was cancelled", Code.Canceled);
          } catch (error) {
            throw toConnectError(error);
          }
        },
        async cancelAgent(request) {
          return create(CancelAgentResponseSchema, { outcome: await calls.cancel(request) });
        },
      }),
  });
  return listening(createServer(handler), host, port);
}

function toConnectError(error: unknown): unknown {
  if (error instanceof Busy) return new ConnectError(error.message, Code.ResourceExhausted);
  if (error instanceof ContractError) return withDetail(Code.InvalidArgument, toErrorDetail(error));
  if (error instanceof AgentError) {
    const { code, message, fix } = error;
    return withDetail(Code.FailedPrecondition, create(ErrorDetailSchema, { code, message, fix }));
  }
  return error;
}

function withDetail(code: Code, value: ReturnType<typeof toErrorDetail>): ConnectError {
  return new ConnectError(value.message, code, undefined, [{ desc: ErrorDetailSchema, value }]);
}
