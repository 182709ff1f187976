import type { Command } from "commander";
import { CliError } from "../errors/cli-error.ts";
import { exitCode } from "../exit-code.ts";
import { defaultHub, readAddress } from "../hub/address.ts";
import { findLocalHub } from "../hub/local-hub.ts";
import { pageAddress } from "../hub/page-address.ts";
import { type CommonOptions, reportError, writeJson, writeLines } from "../writing.ts";
import { withExamples } from "./examples.ts";

export function addOpen(program: Command): void {
  const open = program
    .command("open")
    .summary("print an address that signs the page in")
    .description(
      "Prints the address of the hub's page with a code that signs it in. The code works once and for 15 minutes. For a hub of yours on this machine that has no keys.",
    )
    .action(async (_: unknown, command: Command) => {
      const common = command.optsWithGlobals<CommonOptions>();
      try {
        process.exitCode = await carryOut(common);
      } catch (error) {
        await reportError(error, common);
      }
    });
  withExamples(open, [["baton open", "the page, signed in"]]);
}

async function carryOut({ hub: given, output }: CommonOptions): Promise<number> {
  const address = readAddress(given || defaultHub);
  const local = findLocalHub(address);
  if (local === undefined) {
    throw new CliError("BATON-CLI-013", `no hub of yours without keys listens at ${address.origin}`, {
      fix: "name the hub that you started (--hub); the page of a hub with keys asks for the key itself",
    });
  }
  const page = await pageAddress(local.http, local.token).catch((cause) => {
    const fix = "see whether the hub runs (npx baton up), and try again";
    throw new CliError("BATON-CLI-013", "the hub gave no code for its page", { fix, cause });
  });
  if (output === "text") await writeLines([page]);
  else await writeJson(JSON.stringify({ page }), output);
  return exitCode.ok;
}
