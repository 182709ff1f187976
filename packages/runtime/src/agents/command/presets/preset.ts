import type { TaskEnvelope } from "@baton/contract";
import type { MakeTranslator } from "../translator.ts";

/** How a certain program wants to be called, and what it prints. The prompt comes on standard input. */
export interface Preset {
  readonly program: string;
  /** It asks before it uses a tool, is refused what the task does not allow, and stops by itself after so many steps. */
  readonly restrained: boolean;
  argumentsFor(envelope: TaskEnvelope, place: PresetPlace): readonly string[];
  /** What of the task's lists it cannot be told, in words for whoever watches. */
  leftOut?(envelope: TaskEnvelope): readonly string[];
  /** What the repository would add to it, and whether that was loaded, for whoever reviews the work. */
  repositoryNotices?(workspace: string, isLoaded: boolean): Promise<readonly string[]>;
  /** What it needs of the user's home to be signed in and to be set up as on a terminal. */
  readonly home: PresetHome;
  readonly signIn: PresetSignIn;
  readonly translator: MakeTranslator;
}

/** How it is known that nobody is signed in. */
export interface PresetSignIn {
  /** Arguments with which it says whether somebody is; absent where it offers nothing of the kind. */
  readonly status?: readonly string[];
  /** Variables of its environment each of which makes a login unnecessary. */
  readonly variables: readonly string[];
  /** In its status, or in its own reason for a failure. */
  readonly isMissing: RegExp;
  readonly fix: string;
}

/** By their paths there. What is only read is a copy where it is a file; what is written is the user's own. */
export interface PresetHome {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

export interface PresetPlace {
  readonly model: string | undefined;
  readonly workspace: string;
  /** Settings, hooks, servers and instructions of the repository are in force. */
  readonly loadsRepository: boolean;
}
