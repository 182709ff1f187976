import {
  EscalationSchema,
  ListEscalationsResponseSchema,
  ResolveEscalationResponseSchema,
} from "@baton/contract";
import { create, fromBinary } from "@bufbuild/protobuf";
import { pipelineOf } from "../driver/order.ts";
import type { EscalationField, EscalationRow } from "../ports/store.ts";
import { cutPage, parseList } from "../query/page.ts";
import { actorOf, available, find, type HubContext, notFound, settled } from "./context.ts";
import type { Hub } from "./hub.ts";
import type { HubError } from "./hub-error.ts";
import { escalationList } from "./lists.ts";

type EscalationCalls = Pick<Hub, "listEscalations" | "resolveEscalation">;

export function escalationCalls(context: HubContext): EscalationCalls {
  const { driver, store } = context;
  return {
    async listEscalations(caller, request) {
      const query = parseList(caller.tenantId, request, escalationList);
      const rows = await available(store.escalations(query));
      const page = cutPage(rows, query, request, escalationList, {
        readField,
        bytesOf: ({ escalation }) => escalation.length,
      });
      return create(ListEscalationsResponseSchema, {
        escalations: page.rows.map(({ escalation }) => fromBinary(EscalationSchema, escalation)),
        nextPageToken: page.nextPageToken,
      });
    },

    async resolveEscalation(caller, { escalationId, resolution, reason }) {
      const missing = notFound("escalation", escalationId, "list the open ones; it may be answered");
      const pipelineId = pipelineOf(escalationId);
      await find(context, caller, pipelineId).catch((error: HubError) => {
        throw error.kind === "not-found" ? missing : error;
      });
      const by = actorOf(caller);
      await settled(driver.ask(pipelineId, { type: "resolve", escalationId, resolution, reason, by }));
      const row = await available(store.escalation(escalationId));
      if (!row) throw missing;
      return create(ResolveEscalationResponseSchema, {
        escalation: fromBinary(EscalationSchema, row.escalation),
      });
    },
  };
}

function readField(row: EscalationRow, field: EscalationField) {
  return field === "resolved" ? row.resolvedAtMs !== undefined : row[field];
}
