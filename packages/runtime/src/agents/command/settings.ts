import type { AgentManifest } from "@baton/contract";
import type { CommandAgent } from "@baton/kernel";
import type { AllowedWorkspaces } from "../../processes/allowed-workspaces.ts";
import { findSandbox, type NoSandbox } from "../../processes/sandbox/find-sandbox.ts";
import type { Sandbox } from "../../processes/sandbox/sandbox.ts";

/** A pack with a command, for one tenant. */
export interface CommandPack {
  readonly tenantId: string;
  readonly manifest: AgentManifest;
  readonly command: CommandAgent;
  /** The folder of its file, readable for the command. */
  readonly folder?: string | undefined;
}

/** How commands are run. */
export interface CommandSettings {
  /** Folders in which a command may start. A task without a folder gets an empty one. */
  readonly workspaces: AllowedWorkspaces;
  /** The workspaces of the hub, below a folder for each pipeline: a command may use that of its pipeline. */
  readonly ownPlaces?: string | undefined;
  /** For envelope and prompt of an attempt while it runs. Default: the temporary folder of the system. */
  readonly scratch?: string | undefined;
  /** The sandbox of packs that do not turn it off. */
  readonly sandbox: () => Promise<Sandbox | NoSandbox>;
  /** Data and keys of the hub: no agent can read them, whatever its pack lists. */
  readonly hidden: readonly string[];
  /** What agents can change in the home: links there are not followed. */
  readonly homeFolders: () => readonly string[];
  readonly limits: CommandRunLimits;
}

/** Limits of one attempt. */
export interface CommandRunLimits {
  /** One line of output; with a longer one the attempt is lost. */
  readonly lineBytes: number;
  /** Bytes and messages of one attempt. */
  readonly runBytes: number;
  readonly runMessages: number;
  /** Messages of one attempt that are not durable yet; at the limit its output is not read. */
  readonly outstanding: number;
  /** Output in which the answer is searched: half from the beginning, half from the end. */
  readonly answerBytes: number;
  /** How much of an unreadable answer is stored. */
  readonly rawCharacters: number;
  /** How long a command has to end after SIGTERM, and after its answer. */
  readonly stopMs: number;
  readonly lingerMs: number;
  /** Of the reason why an attempt was lost. */
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

/** Overrides of the defaults. */
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
  const homeFolders = () => [];
  return {
    ...{ workspaces, ownPlaces, scratch, sandbox, hidden, homeFolders },
    limits: { ...defaultCommandLimits, ...limits },
  };
}
