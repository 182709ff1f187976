import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type AuditCheckpoint, AuditCheckpointSchema } from "@baton/contract";
import {
  checkFiles,
  checkHeadFile,
  EgressFilter,
  openSqliteStore,
  type RecordVerdict,
  readHeads,
  type Store,
  verifyRecord,
} from "@baton/runtime";
import { fromJsonString } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { describeProblems } from "../files/problem.ts";
import { type DataArguments, runOnData } from "./data-command.ts";
import { exitCodes, print } from "./print.ts";

const usage =
  "baton-server audit verify [--data FOLDER] [--key KEY-ID]… [--checkpoint JSON]… [--files FOLDER]";

interface Arguments extends DataArguments {
  readonly trusted: readonly string[] | undefined;
  /** Checkpoints that were kept elsewhere, at most one per tenant. */
  readonly kept: readonly AuditCheckpoint[];
  /** The folder with copies of the record. */
  readonly files: string | undefined;
}

/**
 * `audit verify`: verifies the records in a data folder, also while a hub uses it, and prints one line of JSON per tenant.
 * Returns the exit code.
 */
export function runAuditCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
  filter = new EgressFilter(),
): Promise<number> {
  const work = (folder: string, options: Arguments) => verifyFolder(folder, options, filter);
  return runOnData({ name: "audit", usage, read: readArguments, work }, args, env, filter);
}

async function verifyFolder(directory: string, options: Arguments, filter: EgressFilter): Promise<number> {
  if (options.files !== undefined && !existsSync(options.files)) {
    const message = `folder "${options.files}" does not exist`;
    const fix = "name the hub's --audit-folder";
    const problem = { code: "BATON-SERVER-011", at: "--files", message, fix };
    print(process.stderr, describeProblems([problem]), filter);
    return exitCodes.misconfigured;
  }
  const store = await openSqliteStore({ directory, readOnly: true });
  try {
    return await verifyAll(store, directory, options);
  } finally {
    await store.close();
  }
}

async function verifyAll(store: Store, source: string, { trusted, kept, files }: Arguments): Promise<number> {
  const tenants = new Set((await store.heads()).map(({ tenantId }) => tenantId));
  for (const { tenantId } of kept) tenants.add(tenantId);
  const heads = readHeads(source);
  for (const { head } of heads) tenants.add(head.tenantId);
  for (const { tenantId } of await store.lostEntries()) tenants.add(tenantId);
  const copies = files === undefined ? undefined : await checkFiles(store, resolve(files));
  for (const tenantId of copies?.keys() ?? []) tenants.add(tenantId);
  let allValid = true;
  for (const tenantId of tenants) {
    const own = kept.find((one) => one.tenantId === tenantId);
    const seen = await verifyRecord(store, tenantId, { trusted, kept: own, heads });
    const fault = seen.fault ?? copies?.get(tenantId) ?? (await checkHeadFile(store, source, tenantId));
    const verdict = { ...seen, fault, valid: fault === undefined };
    allValid &&= verdict.valid;
    process.stdout.write(`${JSON.stringify(describe(source, tenantId, verdict, trusted !== undefined))}\n`);
  }
  return allValid ? exitCodes.stopped : exitCodes.failed;
}

function describe(source: string, tenantId: string, verdict: RecordVerdict, keysAreTrusted: boolean): object {
  const { valid, fault, checkpoint } = verdict;
  const issuedAt =
    checkpoint?.issuedAt &&
    timestampDate(checkpoint.issuedAt)
      .toISOString()
      .replace(/\.\d+Z$/, "Z");
  return {
    ...{ valid, source, scope: "record", tenantId },
    entriesChecked: Number(verdict.entriesChecked),
    vouchedThrough: Number(verdict.vouchedThrough),
    knownThrough: Number(verdict.knownThrough),
    ...(fault && { firstBadSequence: Number(fault.sequence), kind: fault.kind, problem: fault.problem }),
    keyIds: [...verdict.keys.keys()],
    keysAreTrusted,
    ...(checkpoint && {
      checkpoint: { sequence: Number(checkpoint.sequence), issuedAt, keyId: checkpoint.keyId },
    }),
  };
}

function readArguments(args: readonly string[]): Arguments | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        data: { type: "string" },
        key: { type: "string", multiple: true },
        checkpoint: { type: "string", multiple: true },
        files: { type: "string" },
      },
      allowPositionals: true,
    });
    if (positionals.length !== 1 || positionals[0] !== "verify") return undefined;
    const { data, key: trusted, checkpoint = [], files } = values;
    const kept = checkpoint.map((json) => fromJsonString(AuditCheckpointSchema, json));
    return { data, trusted, kept, files };
  } catch {
    return undefined; // An unknown option, or an invalid checkpoint.
  }
}
