import type { TaskEnvelope } from "@baton/contract";
import type { MakeTranslator } from "../translator.ts";

/** How a known program is called, and how its output is read. The prompt comes on standard input. */
export interface Preset {
  readonly program: string;
  /** It enforces the tool rules and step limit of the task itself. */
  readonly restrained: boolean;
  argumentsFor(envelope: TaskEnvelope, options: PresetOptions): readonly string[];
  /** Rules of the task that it cannot express, as lines for watchers. */
  leftOut?(envelope: TaskEnvelope): readonly string[];
  /** What the repository would add to it, and whether that was loaded, for reviewers. */
  repositoryNotices?(workspace: string, isLoaded: boolean): Promise<readonly string[]>;
  /** Entries of the user's home with its login and settings. */
  readonly home: PresetHome;
  readonly signIn: PresetSignIn;
  readonly translator: MakeTranslator;
}

/** How a missing login is detected. */
export interface PresetSignIn {
  /** Arguments that print the login status; absent if it has none. */
  readonly status?: readonly string[];
  /** Environment variables that replace a login. */
  readonly variables: readonly string[];
  /** Matches its status, or its own reason for a failure. */
  readonly isMissing: RegExp;
  readonly fix: string;
}

/** Paths in the home. Read-only files are copies; written ones are the user's own. */
export interface PresetHome {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

export interface PresetOptions {
  readonly model: string | undefined;
  readonly workspace: string;
  /** Settings, hooks, servers and instructions of the repository apply. */
  readonly loadsRepository: boolean;
}
