import { AuditService } from "@baton/contract";
import type { Hub } from "@baton/runtime";
import type { ServiceImpl } from "@connectrpc/connect";
import { limitPage, type MethodOptions, serverStream, unary } from "./answer.ts";

const { method } = AuditService;

/** A §5.2. */
export function auditService(hub: Hub, options: MethodOptions): ServiceImpl<typeof AuditService> {
  return {
    listAuditEntries: unary(options, method.listAuditEntries, (caller, request) =>
      hub.listAuditEntries(caller, limitPage(request, options)),
    ),
    getAuditProof: unary(options, method.getAuditProof, (caller, request) =>
      hub.getAuditProof(caller, request),
    ),
    verifyAudit: unary(options, method.verifyAudit, (caller, request) => hub.verifyAudit(caller, request)),
    getAuditCheckpoint: unary(options, method.getAuditCheckpoint, (caller, request) =>
      hub.getAuditCheckpoint(caller, request),
    ),
    exportAudit: serverStream(options, method.exportAudit, (caller, request) =>
      hub.exportAudit(caller, request),
    ),
  };
}
