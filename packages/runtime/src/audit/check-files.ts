/**
 * Holds a record against its copy in files (`--audit-folder`): the copy may know of entries that the store has lost. It is not
 * signed, so it proves nothing against somebody who changed both; where it differs, one of the two was changed.
 */
import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Store } from "../ports/store.ts";
import type { RecordFault } from "./walk-record.ts";

/** Hashes of the entries of one tenant, by their number. */
type Copied = Map<bigint, string>;

const entriesAtOnce = 2_048;

/** The first entry of each tenant that the files have, and the record has not or has otherwise. */
export async function checkFiles(
  store: Pick<Store, "auditRecord">,
  folder: string,
): Promise<ReadonlyMap<string, RecordFault | undefined>> {
  const found = new Map<string, RecordFault | undefined>();
  for (const [tenantId, copied] of await readCopies(folder))
    found.set(tenantId, await compare(store, tenantId, copied));
  return found;
}

async function readCopies(folder: string): Promise<ReadonlyMap<string, Copied>> {
  const tenants = new Map<string, Copied>();
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".jsonl")) continue;
    const lines = createInterface(createReadStream(join(folder, name)));
    for await (const line of lines) {
      const entry = readEntry(line);
      if (!entry) continue; // Half a line that is being written, or somebody's own.
      const copied = tenants.get(entry.tenantId) ?? new Map();
      tenants.set(entry.tenantId, copied.set(entry.sequence, entry.hash));
    }
  }
  return tenants;
}

function readEntry(line: string) {
  try {
    const { tenantId, sequence, entryHash }: Readonly<Record<string, unknown>> = { ...JSON.parse(line) };
    if (typeof entryHash !== "string") return undefined;
    return { tenantId: String(tenantId), sequence: BigInt(String(sequence)), hash: entryHash };
  } catch {
    return undefined;
  }
}

async function compare(
  store: Pick<Store, "auditRecord">,
  tenantId: string,
  copied: Copied,
): Promise<RecordFault | undefined> {
  let end = 0n;
  for (;;) {
    const rows = await store.auditRecord(tenantId, end, entriesAtOnce);
    for (const { sequence, hash } of rows) {
      const known = copied.get(sequence);
      copied.delete(sequence);
      end = sequence;
      if (known === undefined || known === Buffer.from(hash).toString("base64")) continue;
      const problem = `entry ${sequence} is another one in the files than in the store`;
      return { kind: "checkpoint-mismatch", sequence, problem };
    }
    if (rows.length === 0) break;
  }
  const [first] = [...copied.keys()].sort((one, other) => (one < other ? -1 : 1));
  if (first === undefined) return undefined;
  const problem = `the files hold entry ${first}, and the record ends with entry ${end}`;
  return { kind: "cut", sequence: end + 1n, problem };
}
