import { chmod, mkdir, mkdtemp, open, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeJson, type Step, type TaskEnvelope, TaskEnvelopeSchema } from "@baton/contract";
import type { CommandAgent } from "@baton/kernel";
import { pipelineOf } from "../../ports/stored-command.ts";
import { findWorkspace, isWithin } from "../../processes/allowed-workspaces.ts";
import { hubVariables } from "../../processes/run-command.ts";
import { NotDelivered } from "../push/agent-calls.ts";
import { traceHeaders } from "../push/trace-headers.ts";
import { presets } from "./presets/index.ts";
import { writePrompt } from "./prompt.ts";
import { type AgentSandboxKind, encloseAgent } from "./sandbox/enclose-agent.ts";
import { watchOutside } from "./sandbox/outside-changes.ts";
import type { CommandSettings } from "./settings.ts";
import { StepsFile } from "./steps-file.ts";

/** What a command is started with. */
export interface Prepared {
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** How it is isolated. */
  readonly sandbox: AgentSandboxKind;
  /** What a reviewer has to know about the isolation. */
  readonly notices: readonly string[];
  /** File descriptor of its standard input. */
  readonly input: number;
  /** What is stored of its steps, for the command to read. */
  readonly steps: StepsFile;
  /** Paths that it changed outside of its workspace, if its sandbox does not prevent that. */
  strayed(): Promise<readonly string[]>;
  /** Closes and removes everything of the attempt. */
  clear(): Promise<void>;
}

/** Throws `NotDelivered` when it cannot be started at all. */
export async function prepare({
  envelope,
  command,
  packId,
  packFolder: pack,
  settings,
  steps: given,
}: {
  readonly envelope: TaskEnvelope;
  readonly command: CommandAgent;
  readonly packId: string;
  readonly packFolder?: string | undefined;
  readonly settings: CommandSettings;
  /** Steps of earlier attempts at the same work. */
  readonly steps: AsyncIterable<Step>;
}): Promise<Prepared> {
  const folder = await mkdtemp(join(await realpath(settings.scratch ?? tmpdir()), "baton-run-"));
  let release = async () => {};
  const remove = async () => {
    await release();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await chmod(folder, 0o700);
    const directory = await workingFolder(envelope, settings, folder);
    const steps = new StepsFile(join(folder, "steps.jsonl"));
    const files = {
      ...{ envelope: join(folder, "envelope.json"), prompt: join(folder, "prompt.md") },
      steps: steps.path,
    };
    const places: AttemptPaths = { ...files, workspace: directory, ...(pack !== undefined && { pack }) };
    await writeFile(files.envelope, encodeJson(TaskEnvelopeSchema, envelope), { mode: 0o600 });
    await steps.begin(given);
    await writeFile(files.prompt, writePrompt(envelope), { mode: 0o600 });
    const { file, args, input } = callOf(command, envelope, places);
    const variables = variablesOf(command, envelope, places);
    const call = { packId, envelope, command, packFolder: pack, file, args, directory, folder, variables };
    const started = await encloseAgent({ ...call, files: Object.values(files) }, settings);
    release = started.release;
    const strayed = await watchStrays(started.sandbox, envelope, directory, pack);
    const notices = [...sandboxNotices(started.sandbox), ...(await repositoryNotices(command, directory))];
    const handle = await open(input, "r");
    return {
      ...started,
      ...{ directory, strayed, notices, steps },
      input: handle.fd,
      clear: async () => {
        await handle.close();
        await steps.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function sandboxNotices(sandbox: AgentSandboxKind): readonly string[] {
  if (sandbox === "off") return ["the agent ran without a sandbox: its pack says sandbox: off"];
  return sandbox === "bubblewrap" ? [] : [`the agent ran in a weak sandbox: ${sandbox}`];
}

async function repositoryNotices(command: CommandAgent, directory: string): Promise<readonly string[]> {
  const preset = command.preset === undefined ? undefined : presets[command.preset];
  return (await preset?.repositoryNotices?.(directory, command.repositorySettings === "load")) ?? [];
}

/** Not in a full sandbox, which prevents it, nor in a folder that the agent shares with its user. */
async function watchStrays(
  sandbox: AgentSandboxKind,
  { workspace }: TaskEnvelope,
  directory: string,
  packFolder: string | undefined,
): Promise<Prepared["strayed"]> {
  if (sandbox === "bubblewrap") return async () => [];
  const repository = workspace?.repository;
  const isShared =
    repository !== undefined && isWithin(directory, await realpath(repository).catch(() => repository));
  const watch = await watchOutside({ repository: isShared ? undefined : repository, packFolder });
  return () => watch.changed();
}

/** The folder of the task; else an empty one. */
async function workingFolder(
  { workspace, execution }: TaskEnvelope,
  { workspaces, ownPlaces }: Pick<CommandSettings, "workspaces" | "ownPlaces">,
  folder: string,
): Promise<string> {
  if (workspace && workspace.path !== "") {
    const own = ownPlaces && join(ownPlaces, pipelineOf(execution?.dispatchId ?? "") || "none");
    const allowed = workspaces === "any" || !own ? workspaces : [...workspaces, own];
    const found = await findWorkspace(workspace.path, allowed);
    if (!found.ok) throw new NotDelivered(found.reason);
    const { directory } = found;
    // A workspace of the hub is for attempts of its own pipeline.
    if (
      ownPlaces &&
      isWithin(directory, await real(ownPlaces)) &&
      !(own && isWithin(directory, await real(own)))
    )
      throw new NotDelivered(`the workspace "${workspace.path}" belongs to another run`);
    return directory;
  }
  const own = join(folder, "work");
  await mkdir(own);
  return own;
}

function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

interface AttemptPaths {
  readonly envelope: string;
  readonly prompt: string;
  readonly steps: string;
  readonly workspace: string;
  /** The folder of the pack's own file, when it has one. */
  readonly pack?: string | undefined;
}

function callOf(command: CommandAgent, envelope: TaskEnvelope, places: AttemptPaths) {
  const { run, preset: name, model, extraArgs } = command;
  if (name !== undefined) {
    const preset = presets[name];
    const loadsRepository = command.repositorySettings === "load";
    const args = preset.argumentsFor(envelope, { model, workspace: places.workspace, loadsRepository });
    return { file: preset.program, args: [...args, ...extraArgs], input: places.prompt };
  }
  const [file = "", ...args] = (run ?? []).map((arg) => fillIn(arg, places));
  const isNamed = run?.some((arg) => arg.includes("{envelope}"));
  const asFile = command.envelope === "file";
  return {
    file,
    args: asFile && !isNamed ? [...args, places.envelope] : args,
    input: asFile ? "/dev/null" : places.envelope,
  };
}

/** Unknown names are left as they are. */
function fillIn(arg: string, places: AttemptPaths): string {
  const named = new Map(Object.entries(places));
  return arg.replaceAll(/\{(\w+)\}/g, (whole, name: string) => named.get(name) ?? whole);
}

function variablesOf(
  { env, passEnv }: CommandAgent,
  { contract, execution, trace }: TaskEnvelope,
  places: AttemptPaths,
): Record<string, string> {
  const { traceparent } = traceHeaders(trace);
  return {
    ...hubVariables(passEnv),
    ...env,
    BATON_ENVELOPE: places.envelope,
    BATON_PROMPT: places.prompt,
    BATON_STEPS: places.steps,
    BATON_WORKSPACE: places.workspace,
    ...(places.pack !== undefined && { BATON_PACK: places.pack }),
    BATON_TASK_ID: contract?.taskId ?? "",
    BATON_DISPATCH_ID: execution?.dispatchId ?? "",
    BATON_ATTEMPT: String(execution?.attemptNumber ?? 0),
    ...(traceparent !== undefined && { TRACEPARENT: traceparent }),
  };
}
