import {
  AcceptToolResponseSchema,
  encodeJson,
  type PinnedTool,
  PinnedToolSchema,
} from "@baton/contract/forms";
import type { Command } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { type Session, withHub } from "../../session.ts";
import { withExamples } from "../options/examples.ts";

interface ListOptions {
  readonly pack?: string;
  readonly changed?: boolean;
}

interface AcceptOptions {
  readonly digest?: string;
  readonly reason: string;
}

/** Tools of MCP servers, whose definitions are pinned. */
export function addTool(program: Command): void {
  const tool = program
    .command("tool")
    .description("Lists the tools of MCP servers, whose definitions are pinned, and accepts changed ones.");
  withExamples(tool, [["baton tool list --changed", "what waits for a person"]]);
  const list = tool
    .command("list")
    .description("Lists pinned tools. Of a changed one, it prints both definitions.")
    .option("--pack <id>", "only those of this pack")
    .option("--changed", "only those that are not offered, because their definition has changed")
    .action((options: ListOptions, command: Command) =>
      withHub(command, (session) => listTools(session, options)),
    );
  withExamples(list, [["baton tool list --changed", "what waits for a person"]]);
  const accept = tool
    .command("accept")
    .description("Accepts the changed definition of a tool. It is offered to the next attempts.")
    .argument("<pack>", "the pack")
    .argument("<tool>", "the name of the tool")
    .option("--digest <digest>", "the digest of the definition that you read (default: the one that waits)")
    .requiredOption("--reason <text>", "the reason (required); audited with your name")
    .action((packId: string, name: string, options: AcceptOptions, command: Command) =>
      withHub(command, (session) => acceptTool(session, packId, name, options)),
    );
  withExamples(accept, [
    [
      'baton tool accept forecaster geo_get_weather --reason "read the difference"',
      "the definition that waits",
    ],
  ]);
}

async function listTools(session: Session, { pack = "", changed = false }: ListOptions): Promise<number> {
  const { hub, signal, output } = session;
  const request = { packId: pack, changedOnly: changed };
  const { tools } = await hub.registry.listPinnedTools(request, { signal });
  if (output !== "text") {
    for (const tool of tools) await session.writeJson(encodeJson(PinnedToolSchema, tool));
    return exitCode.ok;
  }
  if (tools.length === 0) session.printNote(changed ? "no definition has changed" : "no tool is pinned");
  await session.write(tools.flatMap(describe));
  return exitCode.ok;
}

function describe(tool: PinnedTool): readonly string[] {
  const { packId, name, digest, changedDigest, definitionJson, changedDefinitionJson } = tool;
  if (changedDigest === "") return [`${packId}  ${name}  ${digest}`];
  return [
    `${packId}  ${name}  ${digest}  changed, and not offered`,
    `  - ${definitionJson}`,
    `  + ${changedDefinitionJson}`,
    `  accept: baton tool accept ${packId} ${name} --digest ${changedDigest} --reason TEXT`,
  ];
}

async function acceptTool(
  session: Session,
  packId: string,
  name: string,
  { digest: given, reason }: AcceptOptions,
): Promise<number> {
  const { hub, signal } = session;
  const digest = given ?? (await waitingDigest(session, packId, name));
  const response = await hub.registry.acceptTool({ packId, name, digest, reason }, { signal });
  if (session.output !== "text") await session.writeJson(encodeJson(AcceptToolResponseSchema, response));
  else session.printNote(`accepted ${name} of ${packId}: it is offered to the next attempts`);
  return exitCode.ok;
}

async function waitingDigest({ hub, signal }: Session, packId: string, name: string): Promise<string> {
  const { tools } = await hub.registry.listPinnedTools({ packId, changedOnly: true }, { signal });
  const found = tools.find((tool) => tool.name === name)?.changedDigest;
  if (found) return found;
  throw new CliError("BATON-CLI-001", `no changed definition of "${name}" of pack "${packId}" waits`, {
    fix: "baton tool list --changed lists those that do",
  });
}
