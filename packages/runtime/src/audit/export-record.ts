/** Streams the file of an exported record (docs/reference/audit-file.md). */
import { createHash } from "node:crypto";
import type { AuditCheckpoint } from "@baton/contract";
import {
  checkpointLine,
  type ExportHeader,
  entryLine,
  headerLine,
  type PublicKey,
  trailerBytes,
  trailerLine,
} from "@baton/kernel";
import type { Store } from "../ports/store.ts";
import type { Auditor } from "./auditor.ts";
import { readCheckpoints } from "./read-checkpoints.ts";

export interface ExportRequest {
  readonly tenantId: string;
  /** Exports a single pipeline. */
  readonly pipelineId: string | undefined;
  /** An earlier checkpoint that the export must prove consistency with. */
  readonly since: AuditCheckpoint | undefined;
}

const pageSize = 512;
/** Size of a piece, well below the message limit. */
const pieceBytes = 256 * 1024;

/** Throws `RecordDamaged`. */
export async function* exportRecord(
  store: Store,
  auditor: Auditor,
  request: ExportRequest,
): AsyncGenerator<Uint8Array> {
  const checkpoint = await auditor.signer.sign(request.tenantId);
  const { key } = auditor;
  const sum = createHash("sha256");
  let piece: Buffer[] = [];
  let size = 0;
  const lines =
    request.pipelineId === undefined
      ? wholeRecord(store, auditor, request, checkpoint)
      : onePipeline(store, auditor, request, checkpoint);
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
  const signature = key.sign(trailerBytes(digest));
  const trailer = { digest: base64(digest), keyId: key.keyId, signature: base64(signature) };
  yield* cut(Buffer.concat([...piece, Buffer.from(trailerLine(trailer))]));
}

async function* wholeRecord(
  store: Store,
  auditor: Auditor,
  { tenantId }: ExportRequest,
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
    const rows = await store.auditRecord(tenantId, after, pageSize);
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
  { tenantId, pipelineId = "", since }: ExportRequest,
  last: AuditCheckpoint | undefined,
): AsyncGenerator<string> {
  const end = last?.sequence ?? 0n;
  const sequences: bigint[] = [];
  for await (const rows of pagesOf(store, tenantId, pipelineId, end)) {
    for (const { sequence } of rows) sequences.push(sequence);
  }
  const consistency =
    since && since.sequence < end && (await auditor.auditWorker.leadBack(tenantId, since, end));
  yield headerLine({
    ...{
      scope: "pipeline",
      tenantId,
      pipelineId,
      entries: sequences.length,
      sequences: sequences.map(Number),
    },
    keys: keyList(auditor, new Map()),
    ...(since &&
      consistency && { since: { sequence: Number(since.sequence), hashes: consistency.hashes.map(base64) } }),
  });
  if (last) yield checkpointLine(last);
  for await (const rows of pagesOf(store, tenantId, pipelineId, end)) {
    const request = rows.map(({ sequence }) => sequence);
    const proofs = await auditor.auditWorker.include(tenantId, request, end);
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
      limit: pageSize,
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.sequence;
  }
}

/** The hub's key comes first: it signs the file. */
function keyList({ key }: Auditor, others: ReadonlyMap<string, PublicKey>): ExportHeader["keys"] {
  const all = new Map([[key.keyId, key.publicKey], ...others]);
  return [...all].map(([keyId, publicKey]) => ({ keyId, publicKey: base64(publicKey) }));
}

/** An entry may exceed a piece. */
function* cut(bytes: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
