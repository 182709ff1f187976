import {
  type AuditEntry,
  AuditEntrySchema,
  encodeJson,
  type GetAuditProofResponse,
} from "@baton/contract/forms";
import { toBinary } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { type PinOptions, readPins } from "../../audit/pins.ts";
import { type CheckedProof, checkAnswer, proofFile } from "../../audit/proof.ts";
import { readExport } from "../../audit/read-export.ts";
import { writeNew } from "../../audit/write-new.ts";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import type { Hub } from "../../hub/connect-hub.ts";
import { type Printer, withoutHub } from "../../output.ts";
import { withHub } from "../../session.ts";
import { gather } from "../../task/values.ts";
import { renderEntry } from "../../views/audit/audit-entry.ts";
import { withExamples } from "../options/examples.ts";

interface ShowOptions extends Pick<PinOptions, "key"> {
  readonly proof?: string;
  readonly file?: string;
}

export function addShow(audit: Command): void {
  const show = audit
    .command("show")
    .summary("show and prove one entry")
    .description("Shows one entry with its snapshot, and verifies locally that it is part of the record.")
    .argument("<entry>", "its number in the record, or its audit id")
    .option("--file <file>", "read an exported file instead of the hub")
    .option("--proof <file>", "write the entry with its proof to this file, for baton audit verify")
    .option("--key <key>", "the hub's key: its id, or a file that has it; may be repeated", gather)
    .action((id: string, options: ShowOptions, command: Command) => {
      const { file } = options;
      if (file !== undefined) return withoutHub(command, (printer) => showOfFile(printer, file, id, options));
      return withHub(command, async (session) => {
        const { hub, signal } = session;
        const pins = readPins(options.key ? { key: options.key } : {});
        const answer = await hub.audit.getAuditProof({ auditId: await findId(hub, id, signal) }, { signal });
        const checked = checkAnswer(answer, pins);
        const entry = requireEntry(answer, id);
        await writeEntry(session, entry, checked);
        if (options.proof !== undefined) {
          writeNew(options.proof, proofFile(toBinary(AuditEntrySchema, entry), answer));
          session.printNote(`entry and proof written to ${options.proof}`);
        }
        return checked.valid ? exitCode.ok : exitCode.recordBad;
      });
    });
  withExamples(show, [
    ["baton audit show 17", "the seventeenth entry of the record"],
    ["baton audit show 17 --proof entry-17.jsonl", "with a proof to share"],
  ]);
}

/** Verifies the whole file, because its entries prove each other. */
async function showOfFile(
  printer: Printer,
  file: string,
  id: string,
  { key, proof }: ShowOptions,
): Promise<number> {
  if (proof !== undefined) {
    throw new CliError("BATON-CLI-001", "--proof cannot be used with --file", {
      fix: "remove --proof or --file",
    });
  }
  let found: AuditEntry | undefined;
  const verdict = readExport(file, readPins(key ? { key } : {}), (entry) => {
    if (entry.auditId === id || String(entry.sequence) === id) found ??= entry;
  });
  if (found === undefined) throw noEntry(id);
  const { valid, problem, checkpoint, keyIds, keysAreTrusted: keyIsTrusted } = verdict;
  const result = { valid, hashes: 0, keyId: keyIds[0] ?? "", keyIsTrusted };
  await writeEntry(printer, found, {
    ...result,
    ...(problem && { problem }),
    ...(checkpoint && { checkpoint }),
  });
  return valid ? exitCode.ok : exitCode.recordBad;
}

async function writeEntry(printer: Printer, entry: AuditEntry, checked: CheckedProof): Promise<void> {
  if (printer.output === "text") return printer.write(renderEntry(printer.terminal, entry, checked));
  const proof = JSON.stringify(checked);
  return printer.writeJson(`{"entry":${encodeJson(AuditEntrySchema, entry)},"proof":${proof}}`);
}

/** Finds an entry by its number or its audit id. */
async function findId(hub: Hub, id: string, signal: AbortSignal): Promise<string> {
  if (!/^\d{1,18}$/.test(id)) return id;
  const { entries } = await hub.audit.listAuditEntries(
    { filter: `sequence = ${id}`, pageSize: 1 },
    { signal },
  );
  const [entry] = entries;
  if (entry !== undefined) return entry.auditId;
  throw noEntry(id);
}

function requireEntry({ entry }: GetAuditProofResponse, id: string): AuditEntry {
  if (entry !== undefined) return entry;
  throw noEntry(id);
}

function noEntry(id: string): CliError {
  return new CliError("BATON-CLI-004", `entry ${id} not found`, {
    fix: "run baton audit list to see the entries",
  });
}
