import {
  EscalationSchema,
  type ListEscalationsRequest,
  ListEscalationsRequestSchema,
  ListEscalationsResponseSchema,
  ResolveEscalationResponseSchema,
} from "@baton/contract";
import { create, fromBinary } from "@bufbuild/protobuf";
import { available } from "../../ports/available.ts";
import type { Caller } from "../../ports/caller.ts";
import { HubError } from "../../ports/hub-error.ts";
import type { EscalationField, EscalationRow } from "../../ports/store.ts";
import { pipelineOf } from "../../ports/stored-command.ts";
import { cutPage, parseList } from "../../query/page.ts";
import { actorOf, find, type HubContext, notFound, settled } from "../context.ts";
import type { Hub } from "../hub.ts";
import { escalationList } from "../lists.ts";

type EscalationCalls = Pick<Hub, "listEscalations" | "resolveEscalation">;

export function escalationCalls(context: HubContext): EscalationCalls {
  const { engine, store } = context;
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

    async resolveEscalation(caller, { escalationId, resolution, reason, sameCause, arguments: edited }) {
      const missing = notFound("escalation", escalationId, "list the open ones; it may be answered");
      const pipelineId = pipelineOf(escalationId);
      await find(context, caller, pipelineId).catch((error: HubError) => {
        throw error.kind === "not-found" ? missing : error;
      });
      const by = actorOf(caller);
      const answer = (id: string) =>
        settled(
          engine.submit(pipelineOf(id), {
            ...{ type: "resolve", escalationId: id, resolution, reason, by },
            ...(edited && { edited }),
          }),
        );
      const others = sameCause ? await othersOf(caller, escalationId) : [];
      await answer(escalationId);
      const row = await available(store.escalation(escalationId));
      if (!row) throw missing;
      const alsoResolved: string[] = [];
      for (const id of others) {
        // Answered or resolved meanwhile.
        const isResolved = await answer(id).then(
          () => true,
          (error: unknown) => {
            if (error instanceof HubError && error.kind !== "unavailable") return false;
            throw error;
          },
        );
        if (isResolved) alsoResolved.push(id);
      }
      return create(ResolveEscalationResponseSchema, {
        escalation: fromBinary(EscalationSchema, row.escalation),
        alsoResolved,
      });
    },
  };

  /** Other open escalations of the tenant with the same cause. */
  async function othersOf(caller: Caller, escalationId: string): Promise<readonly string[]> {
    const open: ListEscalationsRequest = create(ListEscalationsRequestSchema, {
      filter: "resolved = false",
      pageSize: maxSearched,
    });
    const rows = await available(store.escalations(parseList(caller.tenantId, open, escalationList)));
    const listed = rows.map(({ escalation }) => fromBinary(EscalationSchema, escalation));
    const cause = listed.find((row) => row.escalationId === escalationId)?.cause ?? "";
    if (cause === "") return [];
    return listed.flatMap((row) =>
      row.cause === cause && row.escalationId !== escalationId ? [row.escalationId] : [],
    );
  }
}

/** Maximum number of escalations searched for the same cause: one page. */
const maxSearched = 1_000;

function readField(row: EscalationRow, field: EscalationField) {
  return field === "resolved" ? row.resolvedAtMs !== undefined : row[field];
}
