import { AuditCheckpointSchema, encodeJson } from "@baton/contract/forms";
import type { ExportOptions } from "@baton/kernel/audit";
import type { Command } from "commander";
import { isFolder, type PinOptions, readKeptFolder, readPins } from "../../audit/pins.ts";
import { badRecord, brief, type Verdict } from "../../audit/verdict.ts";
import { verifyFile } from "../../audit/verify-file.ts";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { limits } from "../../limits.ts";
import { type Printer, printNote, withoutHub } from "../../output.ts";
import { findServer } from "../../server/find-server.ts";
import { runServer } from "../../server/run-server.ts";
import { type Session, withHub } from "../../session.ts";
import { gather } from "../../task/values.ts";
import { renderVerdict } from "../../views/audit/audit-verdict.ts";
import { withExamples } from "../options/examples.ts";

interface VerifyOptions extends PinOptions {
  readonly data?: string;
  readonly files?: string;
}

export function addVerify(audit: Command): void {
  const verify = audit
    .command("verify")
    .summary("verify the record")
    .description(
      "Verifies an exported file or a proof (without a hub), a data folder, or the record of the hub. Names the first invalid entry.",
    )
    .argument("[file]", "an export, or a proof written by baton audit show")
    .option("--data <dir>", "verify the store in this data folder; a hub may be using it")
    .option("--files <dir>", "with --data: also compare with the audit files that the hub wrote")
    .option("--key <key>", "the hub's key: its id, or a file that has it; may be repeated", gather)
    .option(
      "--checkpoint <file>",
      "an earlier checkpoint or export that the record must contain; with --data also a folder of checkpoints",
    )
    .action((file: string | undefined, options: VerifyOptions, command: Command) => {
      if (options.files !== undefined && options.data === undefined)
        throw new CliError("BATON-CLI-001", "--files requires --data", {
          fix: "add --data DIR",
        });
      if (file === undefined && options.data === undefined) {
        return withHub(command, (session) => askHub(session, readPins(options)));
      }
      return withoutHub(command, async (printer) => {
        if (file === undefined) {
          const verdicts = await checkFolder(options.data ?? "", options);
          // The server has printed what is wrong with the folder.
          if (verdicts === undefined) return exitCode.usage;
          if (verdicts.length === 0) printNote(nothingThere);
          return printVerdicts(printer, verdicts);
        }
        if (options.data === undefined) return printVerdicts(printer, [verifyFile(file, readPins(options))]);
        throw new CliError("BATON-CLI-001", "a file and --data cannot be used together", {
          fix: "give one of them",
        });
      });
    });
  withExamples(verify, [
    ["baton audit verify record.jsonl --key hub.key", "verifies a file, on any machine"],
    [
      "baton audit verify --data ./hub --checkpoint today.json",
      "verifies a store against an earlier checkpoint",
    ],
    ["baton audit verify", "has the hub verify its record"],
  ]);
}

const nothingThere =
  "nothing was verified: the folder has no audit record; if a hub has used it, compare it with a checkpoint or an export kept elsewhere (--checkpoint)";

async function printVerdicts(printer: Printer, verdicts: readonly Verdict[]): Promise<number> {
  const [first] = verdicts;
  if (printer.output === "text") {
    const { terminal } = printer;
    await printer.write(
      verdicts.flatMap((verdict, at) => [...(at > 0 ? [""] : []), ...renderVerdict(terminal, verdict)]),
    );
  } else if (printer.output === "jsonl") {
    for (const verdict of verdicts) await printer.writeJson(JSON.stringify(verdict));
  } else {
    await printer.writeJson(JSON.stringify(verdicts.length === 1 ? first : verdicts));
  }
  return verdicts.every(({ valid }) => valid) ? exitCode.ok : exitCode.recordBad;
}

/** Runs the server's program on the store, which prints verdicts as JSON. Undefined when it failed and has printed why. */
async function checkFolder(
  folder: string,
  { key, checkpoint, files }: VerifyOptions,
): Promise<readonly Verdict[] | undefined> {
  const verdicts: Verdict[] = [];
  const inFolder = isFolder(checkpoint) ? readKeptFolder(checkpoint) : undefined;
  const { trusted, kept } = readPins({
    ...(key && { key }),
    ...(inFolder === undefined && checkpoint !== undefined && { checkpoint }),
  });
  const args = [
    ...["audit", "verify", "--data", folder],
    ...(trusted ?? []).flatMap((keyId) => ["--key", keyId]),
    ...(files === undefined ? [] : ["--files", files]),
    ...(inFolder ?? (kept ? [kept] : [])).flatMap((verdict) => [
      "--checkpoint",
      encodeJson(AuditCheckpointSchema, verdict),
    ]),
  ];
  const code = await runServer({
    ...{ program: findServer(), args },
    onOutput: (line) => {
      if (line.startsWith("{")) verdicts.push(JSON.parse(line));
    },
  });
  return code === 0 || verdicts.length > 0 ? verdicts.map(withFix) : undefined;
}

function withFix(verdict: Verdict): Verdict {
  return verdict.valid ? verdict : { ...verdict, ...badRecord(verdict.source, verdict.kind, false) };
}

/** Has the hub verify its own record. Without trust in the hub, verify an export. */
async function askHub(session: Session, { trusted, kept }: ExportOptions): Promise<number> {
  const signal = AbortSignal.any([session.signal, AbortSignal.timeout(limits.callTimeoutMs)]);
  const answer = await session.hub.audit.verifyAudit({ ...(kept && { checkpoint: kept }) }, { signal });
  const { valid, entriesChecked, vouchedThrough, problem, problemKind, checkpoint } = answer;
  const keyIds = answer.keys.map(({ keyId }) => keyId);
  const signing = checkpoint?.keyId ?? keyIds[0];
  const isForeign = trusted !== undefined && signing !== undefined && !trusted.includes(signing);
  const foreign = {
    ...{ valid: false, firstBadSequence: 1, kind: "foreign-key" },
    problem: `it is signed with ${signing}, which is not a trusted key`,
  };
  const verdict: Verdict = {
    ...{
      valid,
      source: session.hub.address.origin,
      scope: "record",
      tenantId: checkpoint?.tenantId ?? "the hub",
    },
    entriesChecked: Number(entriesChecked),
    vouchedThrough: Number(vouchedThrough),
    ...(valid ? {} : { firstBadSequence: Number(answer.firstBadSequence), kind: problemKind, problem }),
    ...{ keyIds, keysAreTrusted: trusted !== undefined },
    ...(checkpoint && {
      checkpoint: brief(checkpoint),
      signedNow: valid && checkpoint.sequence > vouchedThrough,
    }),
    ...(valid && isForeign && foreign),
  };
  return printVerdicts(session, [withFix(verdict)]);
}
