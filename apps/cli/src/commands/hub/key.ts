import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { type Printer, withoutHub } from "../../output.ts";
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
  const key = program.command("key").description("API keys of a hub.");
  const make = key
    .command("make")
    .summary("create a key")
    .description(
      "Creates a key and its entry for the key file. The key is printed once and not stored; the entry has its hash.",
    )
    .requiredOption("--id <id>", "the name of the key in logs and audit entries: a-z, 0-9 and -")
    .requiredOption("--tenant <tenant>", "the tenant of the key")
    .requiredOption(
      "--role <role>",
      "a role: submit, operate, review, audit or agent; may be repeated",
      gather,
    )
    .option("--expires <date>", "the expiry: 2027-01-31 or 2027-01-31T12:00:00Z (default: none)")
    .action((options: MakeOptions, command: Command) =>
      withoutHub(command, (printer) => makeKey(printer, options)),
    );
  const example = "baton key make --id ci --tenant acme --role submit --role audit";
  withExamples(make, [[example, "a key that may submit tasks and read the audit record"]]);
  withExamples(key, [[example, "a key that may submit tasks and read the audit record"]]);
}

async function makeKey(printer: Printer, { id, tenant, role, expires }: MakeOptions): Promise<number> {
  const roles = role.flatMap((name) => ["--role", name]);
  const until = expires === undefined ? [] : ["--expires", expires];
  const args = ["key", "make", "--id", id, "--tenant", tenant, ...roles, ...until];
  const { answer, code } = await queryServer(args);
  if (answer === undefined) return code;
  if (printer.output !== "text") await printer.writeJson(JSON.stringify(answer));
  else {
    const { key, entry } = answer as CreatedKey;
    printer.printNote("give this key to its owner; it is not printed again:");
    await printer.write([key]);
    printer.printNote("add this entry to the key file:");
    const ends = entry.expires === undefined ? "" : `, expires: ${JSON.stringify(entry.expires)}`;
    const line = `{ id: ${entry.id}, tenant: ${JSON.stringify(entry.tenant)}, roles: [${entry.roles.join(", ")}], hash: "${entry.hash}"${ends} }`;
    await printer.write([`  - ${line}`]);
  }
  return exitCode.ok;
}
