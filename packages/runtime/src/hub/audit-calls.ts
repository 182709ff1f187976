import { AuditEntrySchema, ListAuditEntriesResponseSchema } from "@baton/contract";
import { create, fromBinary } from "@bufbuild/protobuf";
import type { AuditField, AuditRow } from "../ports/store.ts";
import { cutPage, parseList } from "../query/page.ts";
import { available, type HubContext } from "./context.ts";
import type { Hub } from "./hub.ts";
import { auditList } from "./lists.ts";

export function auditCalls({ store }: HubContext): Pick<Hub, "listAuditEntries"> {
  return {
    async listAuditEntries({ tenantId }, request) {
      const query = parseList(tenantId, request, auditList);
      const readField = (row: AuditRow, field: AuditField) => row[field];
      const rows = await available(store.auditEntries(query));
      const page = cutPage(rows, query, request, auditList, readField);
      return create(ListAuditEntriesResponseSchema, {
        entries: page.rows.map(({ entry }) => fromBinary(AuditEntrySchema, entry)),
        nextPageToken: page.nextPageToken,
      });
    },
  };
}
