/** Writes the file of an exported record, piece by piece (docs/reference/audit-file.md). */
import { createHash } from "node:crypto";
import type { AuditCheckpoint } from "@baton/contract";
import {
  checkpointLine,
  type ExportHeader,
  entryLine,
  headerLine,
  type PublicKey,
  sealBytes,
  sealLine,
} from "@baton/kernel";
import type { Store } from "../ports/store.ts";
import type { Auditor } from "./auditor.ts";
import { readCheckpoints } from "./read-checkpoints.ts";

export interface ExportAsked {
  readonly tenantId: string;
  /** Of one pipeline alone. */
  readonly pipelineId: string | undefined;
  /** Which the export of a pipeline is to be led back to. */
  readonly since: AuditCheckpoint | undefined;
}

const entriesAtOnce = 512;
/** Pieces are as large as a message may comfortably be. */
const pieceBytes = 256 * 1024;

/** Throws `RecordDamaged`. */
export async function* exportRecord(
  store: Store,
  auditor: Auditor,
  asked: ExportAsked,
): AsyncGenerator<Uint8Array> {
  const checkpoint = await auditor.notary.sign(asked.tenantId);
  const { key } = auditor;
  const sum = createHash("sha256");
  let piece: Buffer[] = [];
  let size = 0;
  const lines =
    asked.pipelineId === undefined
      ? wholeRecord(store, auditor, asked, checkpoint)
      : onePipeline(store, auditor, asked, checkpoint);
  for await (const text of lines) {
    const bytes = Buffer.from(text);
    sum.update(bytes);
    piece.push(bytes);
    size += bytes.length;
    if (size < pieceBytes) continue;
    yield* cut(Buffer.concat(piece));
    piece = [];
    size = 0;
  }
  const digest = sum.digest();
  const signature = key.sign(sealBytes(digest));
  const seal = { digest: base64(digest), keyId: key.keyId, signature: base64(signature) };
  yield* cut(Buffer.concat([...piece, Buffer.from(sealLine(seal))]));
}

async function* wholeRecord(
  store: Store,
  auditor: Auditor,
  { tenantId }: ExportAsked,
  last: AuditCheckpoint | undefined,
): AsyncGenerator<string> {
  const end = last?.sequence ?? 0n;
  const { checkpoints, keys } = await readCheckpoints(store, tenantId);
  const header: ExportHeader = {
    scope: "record",
    tenantId,
    entries: Number(end),
    keys: keyList(auditor, keys),
  };
  yield headerLine(header);
  for (const checkpoint of checkpoints) if (checkpoint.sequence <= end) yield checkpointLine(checkpoint);
  for (let after = 0n; after < end; ) {
    const rows = await store.auditRecord(tenantId, after, entriesAtOnce);
    if (rows.length === 0) return;
    let text = "";
    for (const { sequence, entry } of rows) if (sequence <= end) text += entryLine(base64(entry));
    yield text;
    after = rows.at(-1)?.sequence ?? end;
  }
}

async function* onePipeline(
  store: Store,
  auditor: Auditor,
  { tenantId, pipelineId = "", since }: ExportAsked,
  last: AuditCheckpoint | undefined,
): AsyncGenerator<string> {
  const end = last?.sequence ?? 0n;
  const sequences: bigint[] = [];
  for await (const rows of pagesOf(store, tenantId, pipelineId, end)) {
    for (const { sequence } of rows) sequences.push(sequence);
  }
  const leads = since && since.sequence < end && (await auditor.workshop.leadBack(tenantId, since, end));
  yield headerLine({
    ...{
      scope: "pipeline",
      tenantId,
      pipelineId,
      entries: sequences.length,
      sequences: sequences.map(Number),
    },
    keys: keyList(auditor, new Map()),
    ...(since && leads && { since: { sequence: Number(since.sequence), hashes: leads.hashes.map(base64) } }),
  });
  if (last) yield checkpointLine(last);
  for await (const rows of pagesOf(store, tenantId, pipelineId, end)) {
    const asked = rows.map(({ sequence }) => sequence);
    const proofs = await auditor.workshop.include(tenantId, asked, end);
    for (const [place, { entry }] of rows.entries()) {
      yield entryLine(base64(entry), proofs[place]?.hashes.map(base64) ?? []);
    }
  }
}

async function* pagesOf(store: Store, tenantId: string, pipelineId: string, end: bigint) {
  for (let after = 0n; ; ) {
    const rows = await store.auditEntries({
      tenantId,
      where: [
        { field: "pipelineId", operator: "=", value: pipelineId },
        { field: "sequence", operator: ">", value: after },
        { field: "sequence", operator: "<=", value: end },
      ],
      orderBy: [{ field: "sequence", descending: false }],
      after: undefined,
      limit: entriesAtOnce,
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.sequence;
  }
}

/** The hub's own first: it seals the file. */
function keyList({ key }: Auditor, others: ReadonlyMap<string, PublicKey>): ExportHeader["keys"] {
  const all = new Map([[key.keyId, key.publicKey], ...others]);
  return [...all].map(([keyId, publicKey]) => ({ keyId, publicKey: base64(publicKey) }));
}

/** One entry may be larger than a piece. */
function* cut(bytes: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
