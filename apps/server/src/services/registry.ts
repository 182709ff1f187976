import { RegistryService } from "@baton/contract";
import type { Hub } from "@baton/runtime";
import type { ServiceImpl } from "@connectrpc/connect";
import { type Answering, bidiStream, unary } from "./answer.ts";
import type { Pager } from "./page.ts";

const { method } = RegistryService;

/** What agents, and those who look after them, may ask (A §3.1). */
export function registryService(
  hub: Hub,
  answering: Answering,
  page: Pager,
): ServiceImpl<typeof RegistryService> {
  return {
    attachAgent: bidiStream(answering, method.attachAgent, (caller, requests, signal) =>
      hub.attachAgent(caller, requests, signal),
    ),
    registerAgent: unary(answering, method.registerAgent, (caller, request) =>
      hub.registerAgent(caller, request),
    ),
    sendHeartbeat: unary(answering, method.sendHeartbeat, (caller, request) =>
      hub.sendHeartbeat(caller, request),
    ),
    listAgents: unary(answering, method.listAgents, (caller, request) =>
      hub.listAgents(caller, page(request)),
    ),
    restoreAgent: unary(answering, method.restoreAgent, (caller, request) =>
      hub.restoreAgent(caller, request),
    ),
  };
}
