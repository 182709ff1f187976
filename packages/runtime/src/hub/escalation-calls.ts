import {
  EscalationSchema,
  type ListEscalationsRequest,
  ListEscalationsRequestSchema,
  ListEscalationsResponseSchema,
  ResolveEscalationResponseSchema,
} from "@baton/contract";
import { create, fromBinary } from "@bufbuild/protobuf";
import { pipelineOf } from "../driver/order.ts";
import type { EscalationField, EscalationRow } from "../ports/store.ts";
import { cutPage, parseList } from "../query/page.ts";
import { actorOf, available, find, type HubContext, notFound, settled } from "./context.ts";
import type { Caller, Hub } from "./hub.ts";
import { HubError } from "./hub-error.ts";
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

    async resolveEscalation(caller, { escalationId, resolution, reason, sameCause }) {
      const missing = notFound("escalation", escalationId, "list the open ones; it may be answered");
      const pipelineId = pipelineOf(escalationId);
      await find(context, caller, pipelineId).catch((error: HubError) => {
        throw error.kind === "not-found" ? missing : error;
      });
      const by = actorOf(caller);
      const answer = (id: string) =>
        settled(driver.ask(pipelineOf(id), { type: "resolve", escalationId: id, resolution, reason, by }));
      const others = sameCause ? await othersOf(caller, escalationId) : [];
      await answer(escalationId);
      const row = await available(store.escalation(escalationId));
      if (!row) throw missing;
      const alsoResolved: string[] = [];
      for (const id of others) {
        // One that was answered meanwhile, or went on by itself, needs no answer any more.
        const isTaken = await answer(id).then(
          () => true,
          (error: unknown) => {
            if (error instanceof HubError && error.kind !== "unavailable") return false;
            throw error;
          },
        );
        if (isTaken) alsoResolved.push(id);
      }
      return create(ResolveEscalationResponseSchema, {
        escalation: fromBinary(EscalationSchema, row.escalation),
        alsoResolved,
      });
    },
  };

  /** The other open questions of the tenant with the same cause. */
  async function othersOf(caller: Caller, escalationId: string): Promise<readonly string[]> {
    const open: ListEscalationsRequest = create(ListEscalationsRequestSchema, {
      filter: "resolved = false",
      pageSize: mostTogether,
    });
    const rows = await available(store.escalations(parseList(caller.tenantId, open, escalationList)));
    const listed = rows.map(({ escalation }) => fromBinary(EscalationSchema, escalation));
    const cause = listed.find((one) => one.escalationId === escalationId)?.cause ?? "";
    if (cause === "") return [];
    return listed.flatMap((one) =>
      one.cause === cause && one.escalationId !== escalationId ? [one.escalationId] : [],
    );
  }
}

/** Questions that are looked at for the same cause: a page. */
const mostTogether = 1_000;

function readField(row: EscalationRow, field: EscalationField) {
  return field === "resolved" ? row.resolvedAtMs !== undefined : row[field];
}
