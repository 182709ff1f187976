import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { CheckpointRow, TreePosition } from "../../../ports/store.ts";
import { bytes, integer } from "../format/columns.ts";
import { versionOf } from "../schema/migrate.ts";

/** The version that introduced checkpoints; older stores have none. */
const firstVersion = 2;

/** Reads checkpoints and nodes of the hash tree. It belongs to a connection. */
export class CheckpointReader {
  readonly #above: StatementSync | undefined;
  readonly #last: StatementSync | undefined;
  readonly #node: StatementSync | undefined;

  constructor(db: DatabaseSync) {
    if (versionOf(db) < firstVersion) return;
    const columns = "c.sequence, c.checkpoint, c.public_key, c.peaks";
    const from = "FROM tenants t CROSS JOIN checkpoints c ON c.tenant = t.n WHERE t.tenant_id = ?";
    this.#above = db.prepare(`SELECT ${columns} ${from} AND c.sequence > ? ORDER BY c.sequence LIMIT ?`);
    this.#last = db.prepare(`SELECT ${columns} ${from} ORDER BY c.sequence DESC LIMIT 1`);
    this.#node = db.prepare(
      `SELECT hash FROM tree_nodes WHERE tenant = (SELECT n FROM tenants WHERE tenant_id = ?)
        AND level = ? AND place = ?`,
    );
  }

  above(tenantId: string, after: bigint, limit: number): CheckpointRow[] {
    const rows = this.#above?.all(tenantId, after < 0n ? 0n : after, limit) ?? [];
    return rows.map((row) => checkpointRow(tenantId, row));
  }

  last(tenantId: string): CheckpointRow | undefined {
    const row = this.#last?.get(tenantId);
    return row && checkpointRow(tenantId, row);
  }

  nodes(tenantId: string, places: readonly TreePosition[]): (Uint8Array | undefined)[] {
    return places.map(({ level, index }) => {
      const row = this.#node?.get(tenantId, level, index);
      return row && bytes(row.hash);
    });
  }
}

function checkpointRow(tenantId: string, row: Record<string, SQLOutputValue>): CheckpointRow {
  return {
    tenantId,
    sequence: BigInt(integer(row.sequence)),
    checkpoint: bytes(row.checkpoint),
    publicKey: bytes(row.public_key),
    peaks: bytes(row.peaks),
  };
}
