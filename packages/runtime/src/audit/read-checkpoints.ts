import { type AuditCheckpoint, AuditCheckpointSchema } from "@baton/contract/messages";
import { keyIdOf, type PublicKey } from "@baton/kernel/audit";
import { fromBinary } from "@bufbuild/protobuf";
import type { CheckpointRow, Store } from "../ports/store.ts";
import { sha256 } from "./signing-key.ts";
import type { RecordFault } from "./walk-record.ts";

const atOnce = 1_000;
/**
 * A record of years has hundreds of thousands, each with a signature to be checked. Of more than this many, some that are
 * evenly spread are enough: each covers all entries before it.
 */
const mostKept = 8_192;

export interface ReadCheckpoints {
  readonly checkpoints: readonly AuditCheckpoint[];
  readonly keys: ReadonlyMap<string, PublicKey>;
  /** A row that holds no checkpoint, or that of another place. */
  readonly illegible: RecordFault | undefined;
}

/** The checkpoints of a record as they are stored, the last one among them: whether they are right a verifier says. */
export async function readCheckpoints(
  store: Pick<Store, "checkpoints">,
  tenantId: string,
): Promise<ReadCheckpoints> {
  let checkpoints: AuditCheckpoint[] = [];
  let last: AuditCheckpoint | undefined;
  let [count, stride] = [0, 1];
  const keys = new Map<string, PublicKey>();
  let illegible: RecordFault | undefined;
  for (let after = 0n; ; ) {
    const rows = await store.checkpoints(tenantId, after, atOnce);
    for (const row of rows) {
      const checkpoint = readCheckpoint(row);
      if (checkpoint === undefined) illegible ??= unreadable(row.sequence);
      else if (count++ % stride === 0) checkpoints.push(checkpoint);
      if (checkpoints.length > mostKept) {
        checkpoints = checkpoints.filter((_, place) => place % 2 === 0);
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
  return { checkpoints, keys, illegible };
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
