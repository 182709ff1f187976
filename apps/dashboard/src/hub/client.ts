import {
  AuditService,
  InspectionService,
  KnowledgeService,
  OrchestratorService,
  RegistryService,
} from "@baton/contract/messages";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { authorization, dropIfOperator } from "./key.ts";

const withKey: Interceptor = (next) => (request) => {
  for (const [name, value] of Object.entries(authorization())) request.header.set(name, value);
  return next(request).catch((error: unknown) => {
    if (ConnectError.from(error).code === Code.Unauthenticated) dropIfOperator();
    throw error;
  });
};

const transport = createConnectTransport({
  baseUrl: window.location.origin,
  interceptors: [withKey],
  defaultTimeoutMs: 30_000,
});

export const orchestrator = createClient(OrchestratorService, transport);
export const registry = createClient(RegistryService, transport);
export const inspection = createClient(InspectionService, transport);
export const knowledge = createClient(KnowledgeService, transport);
export const audit = createClient(AuditService, transport);
