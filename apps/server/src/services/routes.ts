import {
  AuditService,
  InspectionService,
  KnowledgeService,
  OrchestratorService,
  RegistryService,
} from "@baton/contract";
import type { Hub } from "@baton/runtime";
import { createConnectRouter } from "@connectrpc/connect";
import { compressionGzip } from "@connectrpc/connect-node";
import { Health } from "../../gen/grpc/health/v1/health_pb.js";
import { ServerReflection as V1 } from "../../gen/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as V1Alpha } from "../../gen/grpc/reflection/v1alpha/reflection_pb.js";
import { type Authorization, authorizeRequest } from "../calls/authorize.ts";
import type { ServerLimits } from "../limits.ts";
import { directBidiStream, directServerStream } from "../rpc/serve-direct.ts";
import type { Routes } from "../rpc/serve-rpc.ts";
import type { MethodOptions } from "./answer.ts";
import { auditService } from "./audit.ts";
import { healthService } from "./health.ts";
import { inspectionService } from "./inspection.ts";
import { knowledgeService } from "./knowledge.ts";
import { orchestratorService } from "./orchestrator.ts";
import { reflectionServices } from "./reflection.ts";
import { registryService } from "./registry.ts";

/** All services, authorised. */
export function serviceRoutes(
  hub: Hub,
  authorization: Authorization,
  options: MethodOptions,
  limits: ServerLimits,
): Routes {
  const ours = [OrchestratorService, RegistryService, AuditService, InspectionService, KnowledgeService];
  const health = healthService(
    authorization.readiness,
    options,
    ours.map(({ typeName }) => typeName),
  );
  const reflection = reflectionServices(options, [...ours, Health, V1, V1Alpha]);
  const router = createConnectRouter({
    readMaxBytes: limits.messageBytes,
    writeMaxBytes: limits.messageBytes,
    // No brotli: at its best quality a megabyte takes seconds.
    acceptCompression: [compressionGzip],
    requestGate: (context) => authorizeRequest(authorization, context),
  });
  router
    .service(OrchestratorService, orchestratorService(hub, options))
    .service(RegistryService, registryService(hub, options))
    .service(AuditService, auditService(hub, options))
    .service(InspectionService, inspectionService(hub, options))
    .service(KnowledgeService, knowledgeService(hub, options))
    .service(Health, health)
    .service(V1, reflection.v1)
    .service(V1Alpha, reflection.v1alpha);
  const direct = { authorization, ...options };
  const attachAgent = directBidiStream(
    direct,
    RegistryService.method.attachAgent,
    (caller, requests, signal) => hub.attachAgent(caller, requests, signal),
  );
  const watchEvents = directServerStream(
    direct,
    OrchestratorService.method.watchEvents,
    (caller, request, signal) => hub.watchTogether(caller, request, signal),
  );
  return { router, direct: [attachAgent, watchEvents] };
}
