import {
  AuditEntrySchema,
  ExportAuditResponseSchema,
  GetAuditCheckpointResponseSchema,
  GetAuditProofResponseSchema,
  ListAuditEntriesResponseSchema,
  VerifyAuditResponseSchema,
} from "@baton/contract";
import { create, fromBinary } from "@bufbuild/protobuf";
import type { Auditor } from "../audit/auditor.ts";
import { exportRecord } from "../audit/export-record.ts";
import { recordExported } from "../audit/hub-events.ts";
import { RecordDamaged } from "../audit/walk-record.ts";
import { available } from "../ports/available.ts";
import type { Caller } from "../ports/caller.ts";
import { HubError } from "../ports/hub-error.ts";
import type { AuditRow } from "../ports/store.ts";
import { cutPage, parseList } from "../query/page.ts";
import { type HubContext, notFound, runNotFound } from "./context.ts";
import type { Hub } from "./hub.ts";
import { auditList } from "./lists.ts";

type AuditCalls = Pick<
  Hub,
  "listAuditEntries" | "getAuditProof" | "verifyAudit" | "getAuditCheckpoint" | "exportAudit"
>;

export function auditCalls({ engine, store }: HubContext, auditor: Auditor): AuditCalls {
  const { signer, auditWorker } = auditor;
  const key = { keyId: auditor.key.keyId, publicKey: auditor.key.publicKey };
  return {
    async listAuditEntries({ tenantId }, request) {
      const query = parseList(tenantId, request, auditList);
      const rows = await available(store.auditEntries(query));
      const page = cutPage(rows, query, request, auditList, {
        readField: (row, field) => row[field],
        bytesOf: ({ entry }) => entry.length,
      });
      return create(ListAuditEntriesResponseSchema, {
        entries: page.rows.map(({ entry }) => fromBinary(AuditEntrySchema, entry)),
        nextPageToken: page.nextPageToken,
      });
    },

    async getAuditProof({ tenantId }, { auditId }) {
      const row = await available(findEntry(tenantId, auditId));
      if (row === undefined) throw notFound("audit entry", auditId, "list the entries and name one of them");
      const { sequence, entry } = row;
      const checkpoint = await withDamageError(signer.sign(tenantId));
      if (checkpoint === undefined) throw notFound("audit entry", auditId, "list the entries");
      const treeSize = checkpoint.sequence;
      const [proof] = await withDamageError(auditWorker.include(tenantId, [sequence], treeSize));
      return create(GetAuditProofResponseSchema, {
        entry: fromBinary(AuditEntrySchema, entry),
        proof: { leafIndex: sequence - 1n, hashes: [...(proof?.hashes ?? [])], checkpoint },
        key,
      });
    },

    async verifyAudit({ tenantId }, { checkpoint: kept }) {
      const verdict = await withDamageError(auditWorker.verify(tenantId, { kept }));
      const { valid, entriesChecked, fault, vouchedThrough, keys } = verdict;
      // A verified record is signed, so that the caller can keep the checkpoint.
      const checkpoint = valid ? await withDamageError(signer.sign(tenantId)) : undefined;
      return create(VerifyAuditResponseSchema, {
        ...{ valid, entriesChecked, vouchedThrough },
        firstBadSequence: fault?.sequence ?? 0n,
        problem: fault?.problem ?? "",
        problemKind: fault?.kind ?? "",
        ...(checkpoint && { checkpoint }),
        keys: [...keys].map(([keyId, publicKey]) => ({ keyId, publicKey })),
      });
    },

    async getAuditCheckpoint({ tenantId }) {
      const checkpoint = await withDamageError(signer.sign(tenantId));
      return create(GetAuditCheckpointResponseSchema, { ...(checkpoint && { checkpoint }), key });
    },

    async *exportAudit(caller: Caller, { pipelineId, since }) {
      const { tenantId } = caller;
      if (pipelineId !== "") {
        const [entry] = await available(entriesOf(tenantId, "pipelineId", pipelineId));
        if (entry === undefined) throw runNotFound(pipelineId);
      }
      // Recorded first, so that the export contains its entry, and an export that cannot be recorded is not made.
      const content = pipelineId === "" ? "the record" : `the record of pipeline ${pipelineId}`;
      await available(engine.recordEvent(tenantId, recordExported(caller, content)));
      const scope = { tenantId, pipelineId: pipelineId === "" ? undefined : pipelineId, since };
      try {
        for await (const piece of exportRecord(store, auditor, scope)) {
          yield create(ExportAuditResponseSchema, { piece });
        }
      } catch (error) {
        await withDamageError(Promise.reject(error));
      }
    },
  };

  async function findEntry(tenantId: string, auditId: string): Promise<AuditRow | undefined> {
    return (await entriesOf(tenantId, "auditId", auditId))[0];
  }

  function entriesOf(tenantId: string, field: "auditId" | "pipelineId", value: string) {
    return store.auditEntries({
      tenantId,
      where: [{ field, operator: "=", value }],
      orderBy: [{ field: "sequence", descending: false }],
      after: undefined,
      limit: 1,
    });
  }
}

/** Converts a damaged record to an API error. */
async function withDamageError<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RecordDamaged)) return available(Promise.reject(error));
    throw new HubError("precondition", "BATON-AUDIT-001", error.message, {
      fix: "verify the record, keep the data folder as it is, and compare it with the last export",
      cause: error,
    });
  }
}
