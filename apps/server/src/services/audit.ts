import { AuditService } from "@baton/contract";
import type { Hub } from "@baton/runtime";
import type { ServiceImpl } from "@connectrpc/connect";
import { type Answering, serverStream, unary } from "./answer.ts";
import type { Pager } from "./page.ts";

const { method } = AuditService;

/** What those who check on the hub may ask (A §5.2). */
export function auditService(hub: Hub, answering: Answering, page: Pager): ServiceImpl<typeof AuditService> {
  return {
    listAuditEntries: unary(answering, method.listAuditEntries, (caller, request) =>
      hub.listAuditEntries(caller, page(request)),
    ),
    getAuditProof: unary(answering, method.getAuditProof, (caller, request) =>
      hub.getAuditProof(caller, request),
    ),
    verifyAudit: unary(answering, method.verifyAudit, (caller, request) => hub.verifyAudit(caller, request)),
    getAuditCheckpoint: unary(answering, method.getAuditCheckpoint, (caller, request) =>
      hub.getAuditCheckpoint(caller, request),
    ),
    exportAudit: serverStream(answering, method.exportAudit, (caller, request) =>
      hub.exportAudit(caller, request),
    ),
  };
}
