/** How a command is kept apart from everything that is not its business. */
export const sandboxKinds = ["bubblewrap", "namespaces", "plain"] as const;
export type SandboxKind = (typeof sandboxKinds)[number];

export interface Sandbox {
  readonly kind: SandboxKind;
  /** What it does not keep a command from; undefined when it keeps all that docs/reference/sandbox.md promises. */
  readonly warning: string | undefined;
  /** The argument list, and all variables, that run a program inside. */
  enclose(program: Program, place: Place): Enclosed;
}

export interface Program {
  /** Its real path when it was found on PATH, its path as given when it is the workspace's own. */
  readonly file: string;
  readonly args: readonly string[];
  /** Folders outside of the workspace that it needs to run at all. */
  readonly needs: readonly string[];
}

export interface Place {
  /** The workspace: the only folder of the user's that the command may change. */
  readonly directory: string;
  /** A folder of this run alone, which is removed after it. */
  readonly own: OwnFolder;
  /** Folders outside of the workspace that this one needs. */
  readonly readable?: readonly string[] | undefined;
  /** What is to be seen within the workspace and lies elsewhere. */
  readonly shown?: readonly Shown[] | undefined;
  /** Files that the hub made for this run: readable although they lie in a folder that is hidden. */
  readonly visible?: readonly string[] | undefined;
  /** Files and folders of the workspace that cannot be changed, each below a folder that cannot be moved away. */
  readonly fixed?: readonly Fixed[] | undefined;
  /** Entries of the user's home that appear in the home of the run. */
  readonly home?: readonly HomeEntry[] | undefined;
  /** Overrides the settings of the sandbox. */
  readonly network?: boolean | undefined;
  readonly limits?: ResourceLimits | undefined;
  /** Whoever ends the run signals its process group, so it stays in it. */
  readonly inGroup?: boolean | undefined;
}

export interface Fixed {
  readonly path: string;
  /** The folder that holds it; it cannot be renamed. */
  readonly holder: string;
}

/** A file or folder of the user's home, by its path there. */
export interface HomeEntry {
  readonly from: string;
  readonly path: string;
  readonly writable: boolean;
}

/** What may be used up; what is undefined is as the system gives it. */
export interface ResourceLimits {
  /** Of one process. */
  readonly memoryBytes?: number | undefined;
  /** At the same time. */
  readonly processes?: number | undefined;
  /** The largest file that a process may write. */
  readonly fileBytes?: number | undefined;
}

export interface Shown {
  readonly from: string;
  readonly to: string;
}

export interface OwnFolder {
  readonly home: string;
  readonly temporary: string;
}

export interface Enclosed {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What may be read besides the system and the workspace, what must not be seen, and what may be used up. */
export interface SandboxSettings {
  readonly network: boolean;
  /** Folders that commands may read as well, such as a cache of packages. */
  readonly readable: readonly string[];
  /** Folders and files that no command may see, wherever they are: the hub's own data and keys. */
  readonly hidden: readonly string[];
  /** Folders and files that no command may change, also where its workspace holds them: what the hub is configured with. */
  readonly fixed: readonly string[];
  /** Of one process; undefined is what the system gives. */
  readonly memoryBytes: number | undefined;
  /** At the same time; undefined is what the system gives. */
  readonly processes: number | undefined;
  /** The largest file that a process may write. */
  readonly fileBytes: number | undefined;
}

export const defaultSandboxSettings: SandboxSettings = {
  network: false,
  readable: [],
  hidden: [],
  fixed: [],
  memoryBytes: 4 * 1024 ** 3,
  processes: 1_024,
  fileBytes: 4 * 1024 ** 3,
};

/** What every command gets of the hub's variables; HOME and TMPDIR are its own. */
export const passedOn = ["PATH", "LANG", "LC_ALL", "TZ"];
