import type { AuditCheckpoint } from "@baton/contract/messages";
import { type Digest, sameHash } from "../digest.ts";
import { verifyConsistency } from "../merkle/consistency.ts";
import type { Fault } from "../verify/fault.ts";
import type { ExportHeader } from "./format.ts";

interface Tools {
  readonly digest: Digest;
  readonly readBase64: (text: string) => Uint8Array | undefined;
}

/** The fault when the proven record is not an extension of the record of a kept checkpoint. */
export function checkKeptCheckpoint(
  { tenantId, since }: ExportHeader,
  checkpoint: AuditCheckpoint | undefined,
  kept: AuditCheckpoint,
  { digest, readBase64 }: Tools,
): Fault | undefined {
  const { sequence } = kept;
  const mismatch = (problem: string): Fault => ({ kind: "checkpoint-mismatch", sequence, problem });
  if (kept.tenantId !== tenantId) return mismatch(`the kept checkpoint is of tenant "${kept.tenantId}"`);
  if (checkpoint === undefined || checkpoint.sequence < sequence) {
    const problem = `the record ends at entry ${checkpoint?.sequence ?? 0n}, but the kept checkpoint was at ${sequence}`;
    return { kind: "cut", sequence: (checkpoint?.sequence ?? 0n) + 1n, problem };
  }
  if (checkpoint.sequence === sequence && sameHash(checkpoint.rootHash, kept.rootHash)) return undefined;
  if (checkpoint.sequence !== sequence && since?.sequence !== Number(sequence)) {
    return mismatch(
      `the file does not lead back to the kept checkpoint at ${sequence}; export it again with that checkpoint`,
    );
  }
  const hashes = (since?.hashes ?? []).map((hash) => readBase64(hash) ?? new Uint8Array());
  const claim = {
    ...{ oldSize: sequence, oldRoot: kept.rootHash },
    ...{ newSize: checkpoint.sequence, newRoot: checkpoint.rootHash, hashes },
  };
  if (verifyConsistency(claim, digest)) return undefined;
  return mismatch(`the record was rewritten: it does not lead to the kept checkpoint at ${sequence}`);
}
