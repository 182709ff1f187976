import type { Command } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { defaultHub, readAddress } from "../../hub/address.ts";
import { findLocalHub } from "../../hub/local-hub.ts";
import { pageAddress } from "../../hub/page-address.ts";
import { defaultInvocation } from "../../invocation.ts";
import { type CommonOptions, type Printer, withoutHub } from "../../output.ts";
import { withExamples } from "../options/examples.ts";

export function addOpen(program: Command): void {
  const open = program
    .command("open")
    .description(
      "Prints the address of the hub's page with a sign-in code. The code works once, within 15 minutes. Only for your own hub without keys on this machine.",
    )
    .action((_: unknown, command: Command) => withoutHub(command, openPage));
  withExamples(open, [["baton open", "the page, signed in"]]);
}

async function openPage(printer: Printer, { hub: given }: CommonOptions): Promise<number> {
  const address = readAddress(given || defaultHub);
  const local = findLocalHub(address);
  if (local === undefined) {
    throw new CliError("BATON-CLI-013", `no hub of yours without keys runs at ${address.origin}`, {
      fix: `start one with: ${defaultInvocation()} up   (or name a running one with --hub or BATON_HUB; npm start prints its address). The page of a hub with keys asks for a key`,
    });
  }
  const page = await pageAddress(local.http, local.token).catch((cause) => {
    const fix = `check that the hub runs (${defaultInvocation()} up), and try again`;
    throw new CliError("BATON-CLI-013", "the hub returned no sign-in code", { fix, cause });
  });
  if (printer.output === "text") await printer.write([page]);
  else await printer.writeJson(JSON.stringify({ page }));
  return exitCode.ok;
}
