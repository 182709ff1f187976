import type { AgentManifest } from "@baton/contract";
import type { CommandAgent } from "@baton/kernel";
import type { AllowedWorkspaces } from "../../evidence/allowed-workspaces.ts";
import { findSandbox, type NoSandbox } from "../../evidence/sandbox/find-sandbox.ts";
import type { Sandbox } from "../../evidence/sandbox/sandbox.ts";

/** A pack whose tasks a command does, for one tenant. */
export interface CommandPack {
  readonly tenantId: string;
  readonly manifest: AgentManifest;
  readonly command: CommandAgent;
  /** The folder of its file: what the command may call its own. */
  readonly folder?: string | undefined;
}

/** How commands are run. */
export interface CommandSettings {
  /** Folders in which a command may be started. Where a task names none, it gets an empty one of its own. */
  readonly workspaces: AllowedWorkspaces;
  /** Where the hub makes places for attempts itself, below a folder for each pipeline: each may use its own. */
  readonly ownPlaces?: string | undefined;
  /** Where the envelope and the prompt of an attempt lie while it runs; where temporary things are unless told. */
  readonly scratch?: string | undefined;
  /** What agents run in, unless their pack says otherwise. */
  readonly sandbox: () => Promise<Sandbox | NoSandbox>;
  /** Data and keys of the hub: nothing of them is given to an agent, whatever its pack lists. */
  readonly hidden: readonly string[];
  readonly limits: CommandRunLimits;
}

/** Every size, count and time of one attempt. */
export interface CommandRunLimits {
  /** Of one line that it prints; with a longer one the attempt is lost. */
  readonly lineBytes: number;
  /** What one attempt may print in all, and how many messages that may become. */
  readonly runBytes: number;
  readonly runMessages: number;
  /** Messages of one attempt that are not durable yet; beyond, its output is not read. */
  readonly outstanding: number;
  /** Of output that is kept to look for the answer in: half from the beginning, half from the end. */
  readonly answerBytes: number;
  /** Of an answer that could not be read, as it is kept. */
  readonly rawCharacters: number;
  /** How long a command has to end by itself when it is told to stop, and when it has given its answer. */
  readonly stopMs: number;
  readonly lingerMs: number;
  /** What is kept of the reason why an attempt was lost. */
  readonly reasonLength: number;
}

export const defaultCommandLimits: CommandRunLimits = {
  lineBytes: 16 * 1024 * 1024,
  runBytes: 256 * 1024 * 1024,
  runMessages: 100_000,
  outstanding: 256,
  answerBytes: 2 * 1024 * 1024,
  rawCharacters: 16_384,
  stopMs: 5_000,
  lingerMs: 10_000,
  reasonLength: 1_000,
};

/** What an operator may set; the rest has its default. */
export interface CommandOptions {
  readonly packs?: readonly CommandPack[];
  readonly workspaces?: AllowedWorkspaces;
  readonly ownPlaces?: string | undefined;
  readonly scratch?: string | undefined;
  /** Default: the best that works here. */
  readonly sandbox?: Sandbox | NoSandbox;
  readonly hidden?: readonly string[];
  readonly limits?: Partial<CommandRunLimits>;
}

export function commandSettings(options: CommandOptions = {}): CommandSettings {
  const { workspaces = "any", ownPlaces, scratch, hidden = [], limits } = options;
  let found = options.sandbox && Promise.resolve(options.sandbox);
  const sandbox = () => {
    found ??= findSandbox("auto", { hidden });
    return found;
  };
  return { workspaces, ownPlaces, scratch, sandbox, hidden, limits: { ...defaultCommandLimits, ...limits } };
}
