import { type AuditCheckpoint, AuditCheckpointSchema } from "@baton/contract/messages";
import { keyIdOf, type PublicKey } from "@baton/kernel/audit";
import { fromBinary } from "@bufbuild/protobuf";
import type { CheckpointRow, Store } from "../ports/store.ts";
import { sha256 } from "./signing-key.ts";
import type { RecordFault } from "./walk-record.ts";

const pageSize = 1_000;
/**
 * Old records have hundreds of thousands of checkpoints, each with a signature to verify. An evenly spread selection is
 * enough: each covers all entries before it.
 */
const maxRead = 8_192;

export interface ReadCheckpoints {
  readonly checkpoints: readonly AuditCheckpoint[];
  readonly keys: ReadonlyMap<string, PublicKey>;
  /** A row with an invalid checkpoint or one of another position. */
  readonly invalid: RecordFault | undefined;
}

/** Reads stored checkpoints, including the last one. The verifier checks them. */
export async function readCheckpoints(
  store: Pick<Store, "checkpoints">,
  tenantId: string,
): Promise<ReadCheckpoints> {
  let checkpoints: AuditCheckpoint[] = [];
  let last: AuditCheckpoint | undefined;
  let [count, stride] = [0, 1];
  const keys = new Map<string, PublicKey>();
  let invalid: RecordFault | undefined;
  for (let after = 0n; ; ) {
    const rows = await store.checkpoints(tenantId, after, pageSize);
    for (const row of rows) {
      const checkpoint = readCheckpoint(row);
      if (checkpoint === undefined) invalid ??= unreadable(row.sequence);
      else if (count++ % stride === 0) checkpoints.push(checkpoint);
      if (checkpoints.length > maxRead) {
        checkpoints = checkpoints.filter((_, index) => index % 2 === 0);
        stride *= 2;
      }
      last = checkpoint ?? last;
      keys.set(keyIdOf(row.publicKey, sha256), row.publicKey);
    }
    const end = rows.at(-1);
    if (end === undefined) break;
    after = end.sequence;
  }
  if (last && checkpoints.at(-1) !== last) checkpoints.push(last);
  return { checkpoints, keys, invalid };
}

export function readCheckpoint({ checkpoint: bytes, sequence }: CheckpointRow): AuditCheckpoint | undefined {
  try {
    const checkpoint = fromBinary(AuditCheckpointSchema, bytes);
    return checkpoint.sequence === sequence ? checkpoint : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(sequence: bigint): RecordFault {
  const problem = `the stored checkpoint at ${sequence} is invalid`;
  return { kind: "checkpoint-forged", sequence, problem };
}
