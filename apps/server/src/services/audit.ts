import { AuditService } from "@baton/contract";
import type { Hub } from "@baton/runtime";
import type { ServiceImpl } from "@connectrpc/connect";
import { type Answering, unary } from "./answer.ts";
import type { Pager } from "./page.ts";

const { method } = AuditService;

/** What those who check on the hub may ask (A §5.2). Methods that are not here are answered as unimplemented. */
export function auditService(
  hub: Hub,
  answering: Answering,
  page: Pager,
): Partial<ServiceImpl<typeof AuditService>> {
  return {
    listAuditEntries: unary(answering, method.listAuditEntries, (caller, request) =>
      hub.listAuditEntries(caller, page(request)),
    ),
  };
}
