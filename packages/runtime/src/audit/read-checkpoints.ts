import { type AuditCheckpoint, AuditCheckpointSchema } from "@baton/contract";
import { keyIdOf, type PublicKey } from "@baton/kernel";
import { fromBinary } from "@bufbuild/protobuf";
import type { CheckpointRow, Store } from "../ports/store.ts";
import { sha256 } from "./signing-key.ts";
import type { RecordFault } from "./walk-record.ts";

const atOnce = 1_000;

export interface ReadCheckpoints {
  readonly checkpoints: readonly AuditCheckpoint[];
  readonly keys: ReadonlyMap<string, PublicKey>;
  /** A row that holds no checkpoint, or that of another place. */
  readonly illegible: RecordFault | undefined;
}

/** All checkpoints of a record, as they are stored: whether they are right is for a verifier to say. */
export async function readCheckpoints(
  store: Pick<Store, "checkpoints">,
  tenantId: string,
): Promise<ReadCheckpoints> {
  const checkpoints: AuditCheckpoint[] = [];
  const keys = new Map<string, PublicKey>();
  let illegible: RecordFault | undefined;
  for (let after = 0n; ; ) {
    const rows = await store.checkpoints(tenantId, after, atOnce);
    for (const row of rows) {
      const checkpoint = readCheckpoint(row);
      if (checkpoint) checkpoints.push(checkpoint);
      else illegible ??= unreadable(row.sequence);
      keys.set(keyIdOf(row.publicKey, sha256), row.publicKey);
    }
    const last = rows.at(-1);
    if (last === undefined) return { checkpoints, keys, illegible };
    after = last.sequence;
  }
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
  const problem = `what is stored as the checkpoint at ${sequence} is none`;
  return { kind: "checkpoint-forged", sequence, problem };
}
