import { AuditCheckpointSchema, encodeJson } from "@baton/contract/forms";
import type { ExportOptions } from "@baton/kernel/audit";
import type { Command } from "commander";
import { badRecord } from "../../audit/bad-record.ts";
import { isFolder, type PinOptions, readKeptFolder, readPins } from "../../audit/pins.ts";
import { brief, type Verdict } from "../../audit/verdict.ts";
import { verifyFile } from "../../audit/verify-file.ts";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { limits } from "../../limits.ts";
import { findServer } from "../../server/find-server.ts";
import { runServer } from "../../server/run-server.ts";
import { type Session, withHub } from "../../session.ts";
import { gather } from "../../task/values.ts";
import { renderVerdict } from "../../views/audit-verdict.ts";
import { type Writing, withoutHub } from "../../writing.ts";
import { withExamples } from "../examples.ts";

interface VerifyOptions extends PinOptions {
  readonly data?: string;
  readonly files?: string;
}

export function addVerify(audit: Command): void {
  const verify = audit
    .command("verify")
    .summary("check the record")
    .description(
      "Checks an exported file or a proof (no hub is needed), a data folder, or the record of the hub. It names the first entry that is bad.",
    )
    .argument("[file]", "an export, or a proof that baton audit show has written")
    .option("--data <dir>", "check the store in this data folder, also while a hub uses it")
    .option("--files <dir>", "with --data: hold it against the files that the hub wrote of the record, too")
    .option("--key <key>", "the hub's key: its id, or a file that holds it (again for another)", gather)
    .option(
      "--checkpoint <file>",
      "an earlier checkpoint or export that the record must still contain; with --data also a folder of checkpoints",
    )
    .action((file: string | undefined, options: VerifyOptions, command: Command) => {
      if (options.files !== undefined && options.data === undefined)
        throw new CliError("BATON-CLI-001", "files are held against the store of a data folder", {
          fix: "give --data as well",
        });
      if (file === undefined && options.data === undefined) {
        return withHub(command, (session) => askHub(session, readPins(options)));
      }
      return withoutHub(command, async (writing) => {
        if (file === undefined) {
          const verdicts = await checkFolder(options.data ?? "", options);
          // What is wrong with the folder, the server has said.
          return verdicts === undefined ? exitCode.usage : tell(writing, verdicts);
        }
        if (options.data === undefined) return tell(writing, [verifyFile(file, readPins(options))]);
        throw new CliError("BATON-CLI-001", "a file and a data folder are two things to check", {
          fix: "give one of them",
        });
      });
    });
  withExamples(verify, [
    ["baton audit verify record.jsonl --key hub.key", "a file, on any machine"],
    ["baton audit verify --data ./hub --checkpoint today.json", "a store, against what was signed earlier"],
    ["baton audit verify", "has the hub check its own record"],
  ]);
}

async function tell(writing: Writing, verdicts: readonly Verdict[]): Promise<number> {
  const [first] = verdicts;
  if (writing.output === "text") {
    const { look } = writing;
    await writing.write(
      verdicts.flatMap((one, at) => [...(at > 0 ? [""] : []), ...renderVerdict(look, one)]),
    );
  } else if (writing.output === "jsonl") {
    for (const verdict of verdicts) await writing.writeJson(JSON.stringify(verdict));
  } else {
    await writing.writeJson(JSON.stringify(verdicts.length === 1 ? first : verdicts));
  }
  return verdicts.every(({ valid }) => valid) ? exitCode.ok : exitCode.recordBad;
}

/**
 * The store is the server's: its program looks, and says what it found in JSON. Undefined when it could not look: then it
 * has said why.
 */
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
    ...(inFolder ?? (kept ? [kept] : [])).flatMap((one) => [
      "--checkpoint",
      encodeJson(AuditCheckpointSchema, one),
    ]),
  ];
  const code = await runServer({
    ...{ program: findServer(), args },
    onOutput: (line) => {
      if (line.startsWith("{")) verdicts.push(JSON.parse(line));
    },
  });
  return code === 0 || verdicts.length > 0 ? verdicts.map(withWayOut) : undefined;
}

function withWayOut(verdict: Verdict): Verdict {
  return verdict.valid ? verdict : { ...verdict, ...badRecord(verdict.source, verdict.kind, false) };
}

/** The hub checks its own record; who does not trust it checks an export. */
async function askHub(session: Session, { trusted, kept }: ExportOptions): Promise<number> {
  const signal = AbortSignal.any([session.signal, AbortSignal.timeout(limits.callTimeoutMs)]);
  const answer = await session.hub.audit.verifyAudit({ ...(kept && { checkpoint: kept }) }, { signal });
  const { valid, entriesChecked, vouchedThrough, problem, problemKind, checkpoint } = answer;
  const keyIds = answer.keys.map(({ keyId }) => keyId);
  const signing = checkpoint?.keyId ?? keyIds[0];
  const isForeign = trusted !== undefined && signing !== undefined && !trusted.includes(signing);
  const foreign = {
    ...{ valid: false, firstBadSequence: 1, kind: "foreign-key" },
    problem: `it is signed with ${signing}, and not with a key that is trusted`,
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
  return tell(session, [withWayOut(verdict)]);
}
