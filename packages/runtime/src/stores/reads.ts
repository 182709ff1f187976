import type { Store } from "../ports/store.ts";
import { auditFields, escalationFields, pipelineFields } from "./fields.ts";
import { validateQuery, validateSpendQuery } from "./validate.ts";

type ReadName = Exclude<
  keyof Store,
  "commit" | "openJournals" | "fleet" | "keepCheckpoint" | "prune" | "backup" | "check" | "close"
>;

type Synchronous<Method> = Method extends (...args: infer Args) => Promise<infer Result>
  ? (...args: Args) => Result
  : never;

/** The reads of the port, which a store answers at once. Queries have been validated. */
export type StoreReads = { readonly [Name in ReadName]: Synchronous<Store[Name]> };

/** The reads as methods of the port. `use` runs each of them on the state of one moment. */
export function storeReads(
  use: <Result>(read: (reads: StoreReads) => Result) => Result,
): Pick<Store, ReadName> {
  return {
    lastBatch: async (writer) => use((reads) => reads.lastBatch(writer)),
    heads: async () => use((reads) => reads.heads()),
    newestMs: async () => use((reads) => reads.newestMs()),
    journal: async (pipelineId) => use((reads) => reads.journal(pipelineId)),
    outbox: async () => use((reads) => reads.outbox()),
    timers: async () => use((reads) => reads.timers()),
    openCalls: async () => use((reads) => reads.openCalls()),
    heldBack: async () => use((reads) => reads.heldBack()),
    spentSince: async (day) => use((reads) => reads.spentSince(day)),
    spend: async (query) =>
      use((reads) => {
        validateSpendQuery(query);
        return reads.spend(query);
      }),
    pipeline: async (pipelineId) => use((reads) => reads.pipeline(pipelineId)),
    pipelines: async (query) =>
      use((reads) => {
        validateQuery(query, pipelineFields);
        return reads.pipelines(query);
      }),
    escalation: async (escalationId) => use((reads) => reads.escalation(escalationId)),
    escalations: async (query) =>
      use((reads) => {
        validateQuery(query, escalationFields);
        return reads.escalations(query);
      }),
    events: async (tenantId, after, limit) => use((reads) => reads.events(tenantId, after, limit)),
    turns: async (dispatchId, after, limit) => use((reads) => reads.turns(dispatchId, after, limit)),
    hasTurn: async (dispatchId, turnIndex) => use((reads) => reads.hasTurn(dispatchId, turnIndex)),
    knowledge: async (query) => use((reads) => reads.knowledge(query)),
    steps: async (dispatchId, after, limit, valueBytes) =>
      use((reads) => reads.steps(dispatchId, after, limit, valueBytes)),
    tasks: async (pipelineId) => use((reads) => reads.tasks(pipelineId)),
    auditEntries: async (query) =>
      use((reads) => {
        validateQuery(query, auditFields);
        return reads.auditEntries(query);
      }),
    auditRecord: async (tenantId, after, limit) => use((reads) => reads.auditRecord(tenantId, after, limit)),
    lostEntries: async () => use((reads) => reads.lostEntries()),
    checkpoints: async (tenantId, after, limit) => use((reads) => reads.checkpoints(tenantId, after, limit)),
    lastCheckpoint: async (tenantId) => use((reads) => reads.lastCheckpoint(tenantId)),
    treeNodes: async (tenantId, positions) => use((reads) => reads.treeNodes(tenantId, positions)),
  };
}
