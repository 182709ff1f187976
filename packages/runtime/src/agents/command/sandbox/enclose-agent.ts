/**
 * Runs an agent's command in the hub's sandbox: it changes its workspace, reads the system, its own files and what its pack
 * lists, and finds neither the hub's data and keys, nor the user's home, nor the workspaces of others.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { TaskEnvelope } from "@baton/contract";
import type { CommandAgent } from "@baton/kernel";
import { isWithin } from "../../../evidence/allowed-workspaces.ts";
import { hubVariables } from "../../../evidence/run-command.ts";
import type { Enclosed, HomeEntry, Sandbox } from "../../../evidence/sandbox/sandbox.ts";
import { NotDelivered } from "../../push/agent-calls.ts";
import { presets } from "../presets/index.ts";
import type { CommandSettings } from "../settings.ts";
import { fixedIn } from "./fixed-files.ts";
import { bringHome } from "./home-entries.ts";
import { findAgentProgram, packFolders } from "./programs.ts";
import { repositoryObjects } from "./repository-objects.ts";

export interface AgentCall {
  readonly packId: string;
  readonly envelope: TaskEnvelope;
  readonly command: CommandAgent;
  readonly packFolder: string | undefined;
  readonly file: string;
  readonly args: readonly string[];
  /** Where it works. */
  readonly directory: string;
  /** A folder of this attempt alone. */
  readonly folder: string;
  /** Files that the hub made for it. */
  readonly files: readonly string[];
  /** Variables that it gets whether it is in a sandbox or not. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface AgentProcess extends Enclosed {
  /** How it is kept apart: bubblewrap, namespaces, or off. */
  readonly sandbox: AgentSandboxKind;
}

export type AgentSandboxKind = Sandbox["kind"] | "off";

/** Enough to be found and to run, and no secret. Home and temporary folder are its own in a sandbox. */
const passedOn = ["PATH", "USER", "SHELL", "LANG", "LC_ALL", "TZ"];
const passedOnWithout = [...passedOn, "HOME", "TMPDIR"];

/** Throws `NotDelivered` where no sandbox works: nothing is started without one unless its pack says so. */
export async function encloseAgent(call: AgentCall, settings: CommandSettings): Promise<AgentProcess> {
  const { command, file, args, directory, variables } = call;
  const path = command.env.PATH ?? process.env.PATH ?? "";
  if (command.sandbox === "off")
    return { file, args, env: { ...hubVariables(passedOnWithout), ...variables }, sandbox: "off" };
  const sandbox = await settings.sandbox();
  if (sandbox.kind === "none")
    throw new NotDelivered(
      `no sandbox works here: ${sandbox.reason}; install bubblewrap, or say sandbox: off in the pack`,
    );
  const program = findAgentProgram(file, directory, path);
  const place = await placeOf(call, settings, path);
  const enclosed = sandbox.enclose({ ...program, args }, place);
  const { HOME = "", TMPDIR = "" } = enclosed.env;
  const env = { ...hubVariables(passedOn), ...variables, HOME, TMPDIR };
  return { ...enclosed, env, sandbox: sandbox.kind };
}

async function placeOf(call: AgentCall, settings: CommandSettings, path: string) {
  const { packId, envelope, command, packFolder, directory, folder, files } = call;
  const own = { home: join(folder, "home"), temporary: join(folder, "tmp") };
  for (const made of [own.home, own.temporary]) await mkdir(made);
  // Commits need a name. What its pack lists of the user's own settings lies above this.
  await writeFile(
    join(own.home, ".gitconfig"),
    `[user]\n\tname = ${packId}\n\temail = ${packId}@localhost\n`,
  );
  const isOwn = [folder, settings.ownPlaces].some((made) => made !== undefined && isWithin(directory, made));
  const { preset } = command;
  return {
    ...{ directory, own, inGroup: true, visible: files },
    home: await homeOf(command, own.home, settings.hidden),
    readable: [
      ...packFolders({ folder: packFolder, readable: command.readable ?? [], path }),
      ...(await repositoryObjects(envelope.workspace?.repository, settings)),
    ],
    fixed: isOwn ? [] : await fixedIn(directory),
    network: command.network ?? preset !== undefined,
    limits: limitsOf(command),
  };
}

function homeOf(
  command: CommandAgent,
  target: string,
  hidden: readonly string[],
): Promise<readonly HomeEntry[]> {
  const { home = [], homeWritable = [] } = command;
  const usual = command.preset === undefined ? undefined : presets[command.preset].home;
  return bringHome({
    from: command.env.HOME ?? homedir(),
    target,
    read: [...(usual?.read ?? []), ...home],
    write: [...(usual?.write ?? []), ...homeWritable],
    hidden,
  });
}

function limitsOf({ memoryBytes, processes, fileBytes }: CommandAgent) {
  return {
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(processes !== undefined && { processes }),
    ...(fileBytes !== undefined && { fileBytes }),
  };
}
