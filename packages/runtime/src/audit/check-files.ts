/**
 * Compares a record with its copy in files (`--audit-folder`), which may contain entries that the store lost. The files
 * are not signed, so they prove nothing against an attacker who changed both; a difference shows that one was changed.
 */
import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Store } from "../ports/store.ts";
import type { RecordFault } from "./walk-record.ts";

/** Hashes of one tenant's entries, by sequence. */
type Copied = Map<bigint, string>;

const pageSize = 2_048;

/** The first entry of each tenant that the record lacks or has with another hash. */
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
      if (!entry) continue; // A partial or foreign line.
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
    const rows = await store.auditRecord(tenantId, end, pageSize);
    for (const { sequence, hash } of rows) {
      const known = copied.get(sequence);
      copied.delete(sequence);
      end = sequence;
      if (known === undefined || known === Buffer.from(hash).toString("base64")) continue;
      const problem = `entry ${sequence} differs between the files and the store`;
      return { kind: "checkpoint-mismatch", sequence, problem };
    }
    if (rows.length === 0) break;
  }
  const [first] = [...copied.keys()].sort((one, other) => (one < other ? -1 : 1));
  if (first === undefined) return undefined;
  const problem = `the files hold entry ${first}, and the record ends with entry ${end}`;
  return { kind: "cut", sequence: end + 1n, problem };
}
