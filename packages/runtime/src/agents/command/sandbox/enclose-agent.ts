/**
 * Runs a command in the hub's sandbox: it can write its workspace, and read the system, its own files and what its pack lists;
 * not the hub's data and keys, the user's home, or other workspaces.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { TaskEnvelope } from "@baton/contract";
import type { CommandAgent } from "@baton/kernel";
import { isWithin } from "../../../processes/allowed-workspaces.ts";
import { hubVariables } from "../../../processes/run-command.ts";
import type { Enclosed, HomeEntry, Sandbox } from "../../../processes/sandbox/sandbox.ts";
import { objectFolders } from "../../../workspaces/checkout-copy.ts";
import { findRepository } from "../../../workspaces/git/repository.ts";
import { NotDelivered } from "../../push/agent-calls.ts";
import { presets } from "../presets/index.ts";
import type { CommandSettings } from "../settings.ts";
import { type FixedFiles, fixedIn } from "./fixed-files.ts";
import { bringHome } from "./home-entries.ts";
import { findAgentProgram, packFolders } from "./programs.ts";

export interface AgentCall {
  readonly packId: string;
  readonly envelope: TaskEnvelope;
  readonly command: CommandAgent;
  readonly packFolder: string | undefined;
  readonly file: string;
  readonly args: readonly string[];
  /** Its working folder. */
  readonly directory: string;
  /** A private folder of the attempt. */
  readonly folder: string;
  /** Files of the hub that it reads. */
  readonly files: readonly string[];
  /** Environment with and without a sandbox. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface AgentProcess extends Enclosed {
  /** How it is isolated. */
  readonly sandbox: AgentSandboxKind;
  /** Removes what was put into its workspace for the attempt. */
  release(): Promise<void>;
}

export type AgentSandboxKind = Sandbox["kind"] | "off";

/** Enough to run, and no secret. In a sandbox, home and temporary folder are private. */
const passedVariables = ["PATH", "USER", "SHELL", "LANG", "LC_ALL", "TZ"];
const passedWithoutSandbox = [...passedVariables, "HOME", "TMPDIR"];

const nothingFixed: FixedFiles = { fixed: [], release: async () => {} };

/** Throws `NotDelivered` where no sandbox works: nothing is started without one unless its pack says so. */
export async function encloseAgent(call: AgentCall, settings: CommandSettings): Promise<AgentProcess> {
  const { command, file, args, directory, variables } = call;
  const path = command.env.PATH ?? process.env.PATH ?? "";
  if (command.sandbox === "off")
    return {
      ...{ file, args, env: { ...hubVariables(passedWithoutSandbox), ...variables } },
      ...{ sandbox: "off", release: async () => {} },
    };
  const sandbox = await settings.sandbox();
  if (sandbox.kind === "none")
    throw new NotDelivered(
      `no sandbox works here: ${sandbox.reason}; install bubblewrap, or say sandbox: off in the pack`,
    );
  const program = findAgentProgram(file, directory, path);
  const { release, ...paths } = await sandboxPaths(call, settings, path);
  const enclosed = sandbox.enclose({ ...program, args }, paths);
  const { HOME = "", TMPDIR = "" } = enclosed.env;
  const env = { ...hubVariables(passedVariables), ...variables, HOME, TMPDIR };
  return { ...enclosed, env, sandbox: sandbox.kind, release };
}

async function sandboxPaths(call: AgentCall, settings: CommandSettings, path: string) {
  const { packId, envelope, command, packFolder, directory, folder, files } = call;
  const own = { home: join(folder, "home"), temporary: join(folder, "tmp") };
  for (const made of [own.home, own.temporary]) await mkdir(made);
  // Commits need a name. Settings of the user that its pack lists override this.
  await writeFile(
    join(own.home, ".gitconfig"),
    `[user]\n\tname = ${packId}\n\temail = ${packId}@localhost\n`,
  );
  const isOwn = [folder, settings.ownPlaces].some((made) => made !== undefined && isWithin(directory, made));
  const { preset } = command;
  const home = await homeOf(command, own.home, settings);
  const objects = await repositoryObjects(envelope.workspace?.repository, settings);
  const { fixed, release } = isOwn ? nothingFixed : await fixedIn(directory);
  return {
    ...{ directory, own, inGroup: true, visible: files },
    home,
    readable: [...packFolders({ folder: packFolder, readable: command.readable ?? [], path }), ...objects],
    fixed,
    release,
    network: command.network ?? preset !== undefined,
    limits: limitsOf(command),
  };
}

function homeOf(
  command: CommandAgent,
  target: string,
  { hidden, homeFolders }: Pick<CommandSettings, "hidden" | "homeFolders">,
): Promise<readonly HomeEntry[]> {
  const defaults = command.preset === undefined ? undefined : presets[command.preset].home;
  return bringHome({
    from: command.env.HOME ?? homedir(),
    target,
    read: [...(defaults?.read ?? []), ...(command.home ?? [])],
    write: writableEntries(command),
    hidden,
    written: homeFolders(),
  });
}

function writableEntries({ preset, homeWritable = [] }: CommandAgent): readonly string[] {
  return [...((preset && presets[preset].home?.write) ?? []), ...homeWritable];
}

/** What a command can change in the home of its user. */
export function homeFoldersOf(command: CommandAgent): readonly string[] {
  const from = command.env.HOME ?? homedir();
  return writableEntries(command).map((path) => join(from, path));
}

function limitsOf({ memoryBytes, processes, fileBytes }: CommandAgent) {
  return {
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(processes !== undefined && { processes }),
    ...(fileBytes !== undefined && { fileBytes }),
  };
}

/**
 * Object folders that a workspace of the hub borrows, readable for the agent. The task names the repository: what the
 * workspace itself says could have been changed by an agent.
 */
async function repositoryObjects(
  repository: string | undefined,
  { workspaces }: Pick<CommandSettings, "workspaces">,
): Promise<readonly string[]> {
  if (!repository) return [];
  const found = await findRepository(repository, workspaces, AbortSignal.timeout(searchMs));
  return found.ok ? objectFolders(found.repository.objects) : [];
}

const searchMs = 30_000;
