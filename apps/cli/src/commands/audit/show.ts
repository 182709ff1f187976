import { type AuditEntry, AuditEntrySchema, encodeJson, type GetAuditProofResponse } from "@baton/contract";
import { toBinary } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { type PinOptions, readPins } from "../../audit/pins.ts";
import { checkAnswer, proofFile } from "../../audit/proof.ts";
import { writeNew } from "../../audit/write-new.ts";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import type { Hub } from "../../hub/connect-hub.ts";
import { withHub } from "../../session.ts";
import { gather } from "../../task/values.ts";
import { renderEntry } from "../../views/audit-entry.ts";
import { withExamples } from "../examples.ts";

interface ShowOptions extends Pick<PinOptions, "key"> {
  readonly proof?: string;
}

export function addShow(audit: Command): void {
  const show = audit
    .command("show")
    .summary("show one entry, and prove it")
    .description(
      "Shows one entry with what was known then. That it is in the record is checked here, by its proof.",
    )
    .argument("<entry>", "its number in the record, or its audit id")
    .option("--proof <file>", "write the entry with its proof to this file; baton audit verify checks it")
    .option("--key <key>", "the hub's key: its id, or a file that holds it (again for another)", gather)
    .action((id: string, options: ShowOptions, command: Command) =>
      withHub(command, async (session) => {
        const { hub, signal, output } = session;
        const pins = readPins(options.key ? { key: options.key } : {});
        const answer = await hub.audit.getAuditProof({ auditId: await findId(hub, id, signal) }, { signal });
        const checked = checkAnswer(answer, pins);
        const entry = requireEntry(answer, id);
        if (output === "text") {
          await session.write(renderEntry(session.look, entry, checked));
        } else {
          const proof = JSON.stringify(checked);
          await session.writeJson(`{"entry":${encodeJson(AuditEntrySchema, entry)},"proof":${proof}}`);
        }
        if (options.proof !== undefined) {
          writeNew(options.proof, proofFile(toBinary(AuditEntrySchema, entry), answer));
          session.tell(`the entry and its proof are in ${options.proof}`);
        }
        return checked.valid ? exitCode.ok : exitCode.recordBad;
      }),
    );
  withExamples(show, [
    ["baton audit show 17", "the seventeenth entry of the record"],
    ["baton audit show 17 --proof entry-17.jsonl", "with a proof for somebody else"],
  ]);
}

/** An entry is known by its number, which is short, or by its id. */
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
  return new CliError("BATON-CLI-004", `there is no entry ${id}`, {
    fix: "baton audit list shows what there is",
  });
}
