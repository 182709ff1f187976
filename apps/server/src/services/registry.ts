import { RegistryService } from "@baton/contract";
import type { Hub } from "@baton/runtime";
import type { ServiceImpl } from "@connectrpc/connect";
import { bidiStream, limitPage, type MethodOptions, unary } from "./answer.ts";

const { method } = RegistryService;

/** A §3.1. */
export function registryService(hub: Hub, options: MethodOptions): ServiceImpl<typeof RegistryService> {
  return {
    attachAgent: bidiStream(options, method.attachAgent, (caller, requests, signal) =>
      hub.attachAgent(caller, requests, signal),
    ),
    registerAgent: unary(options, method.registerAgent, (caller, request) =>
      hub.registerAgent(caller, request),
    ),
    sendHeartbeat: unary(options, method.sendHeartbeat, (caller, request) =>
      hub.sendHeartbeat(caller, request),
    ),
    listAgents: unary(options, method.listAgents, (caller, request) =>
      hub.listAgents(caller, limitPage(request, options)),
    ),
    reportStep: unary(options, method.reportStep, (caller, request) => hub.reportStep(caller, request)),
    listSteps: unary(options, method.listSteps, (caller, request) => hub.listSteps(caller, request)),
    pinTools: unary(options, method.pinTools, (caller, request) => hub.pinTools(caller, request)),
    listPinnedTools: unary(options, method.listPinnedTools, (caller, request) =>
      hub.listPinnedTools(caller, request),
    ),
    acceptTool: unary(options, method.acceptTool, (caller, request) => hub.acceptTool(caller, request)),
    restoreAgent: unary(options, method.restoreAgent, (caller, request) => hub.restoreAgent(caller, request)),
  };
}
