import { InspectionService, OrchestratorService } from "@baton/contract";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { defaultHub } from "../../src/hub-client.ts";
import { limits } from "../../src/limits.ts";

export interface TestHub {
  /** The hub's gRPC address. Default: BATON_HUB, else `http://127.0.0.1:7433`. */
  readonly hub?: string;
  /** An API key with the role viewer, and submitter to start runs. Default: BATON_API_KEY, else none. */
  readonly key?: string;
}

export interface TestClient {
  readonly orchestrator: Client<typeof OrchestratorService>;
  readonly inspection: Client<typeof InspectionService>;
}

export function testClient({ hub, key = process.env.BATON_API_KEY }: TestHub): TestClient {
  const withKey: Interceptor = (next) => (request) => {
    request.header.set("authorization", `Bearer ${key}`);
    return next(request);
  };
  const baseUrl = hub ?? (process.env.BATON_HUB || defaultHub);
  const transport = createGrpcTransport({
    baseUrl,
    interceptors: key ? [withKey] : [],
    defaultTimeoutMs: limits.testAnswerMs,
  });
  return {
    orchestrator: createClient(OrchestratorService, transport),
    inspection: createClient(InspectionService, transport),
  };
}

/** A quoted string of the filter language. */
export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
