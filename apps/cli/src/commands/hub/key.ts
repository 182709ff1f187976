import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { type CommonOptions, printNote, reportError, writeJson, writeLines } from "../../output.ts";
import { queryServer } from "../../server/run-server.ts";
import { gather } from "../../task/values.ts";
import { withExamples } from "../options/examples.ts";

interface MakeOptions {
  readonly id: string;
  readonly tenant: string;
  readonly role: readonly string[];
  readonly expires?: string;
}

interface CreatedKey {
  readonly key: string;
  readonly entry: { id: string; tenant: string; roles: readonly string[]; hash: string; expires?: string };
}

export function addKey(program: Command): void {
  const key = program.command("key").description("Keys: who may call a hub that others can reach.");
  const make = key
    .command("make")
    .summary("make a key")
    .description(
      "Makes a key for a program or a person, and its entry for the file of keys. The key is shown once and kept nowhere; the entry holds a hash of it.",
    )
    .requiredOption("--id <id>", "names the key in the log and in the record: a-z, 0-9 and -")
    .requiredOption("--tenant <tenant>", "whose tasks and agents it is for")
    .requiredOption(
      "--role <role>",
      "what it may do: submit, operate, review, audit or agent; may be given again",
      gather,
    )
    .option(
      "--expires <date>",
      "when it ends: 2027-01-31 or 2027-01-31T12:00:00Z; without it, when it is revoked",
    )
    .action(async (options: MakeOptions, command: Command) => {
      const common = command.optsWithGlobals<CommonOptions>();
      try {
        process.exitCode = await executeCommand(options, common);
      } catch (error) {
        await reportError(error, common);
      }
    });
  const example = "baton key make --id ci --tenant acme --role submit --role audit";
  withExamples(make, [[example, "a key that may submit tasks and read the record"]]);
  withExamples(key, [[example, "a key that may submit tasks and read the record"]]);
}

async function executeCommand(
  { id, tenant, role, expires }: MakeOptions,
  { output }: CommonOptions,
): Promise<number> {
  const roles = role.flatMap((name) => ["--role", name]);
  const until = expires === undefined ? [] : ["--expires", expires];
  const { answer, code } = await queryServer([
    "key",
    "make",
    "--id",
    id,
    "--tenant",
    tenant,
    ...roles,
    ...until,
  ]);
  if (answer === undefined) return code;
  if (output !== "text") await writeJson(JSON.stringify(answer), output);
  else {
    const { key, entry } = answer as CreatedKey;
    printNote("for its holder, who alone gets to see it:");
    await writeLines([key]);
    printNote("for the file of keys:");
    const ends = entry.expires === undefined ? "" : `, expires: ${JSON.stringify(entry.expires)}`;
    const line = `{ id: ${entry.id}, tenant: ${JSON.stringify(entry.tenant)}, roles: [${entry.roles.join(", ")}], hash: "${entry.hash}"${ends} }`;
    await writeLines([`  - ${line}`]);
  }
  return exitCode.ok;
}
