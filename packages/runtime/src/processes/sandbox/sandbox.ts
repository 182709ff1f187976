/** Kinds of isolation for commands. */
export const sandboxKinds = ["bubblewrap", "namespaces", "plain"] as const;
export type SandboxKind = (typeof sandboxKinds)[number];

export interface Sandbox {
  readonly kind: SandboxKind;
  /** Missing guarantees; undefined when it provides all of docs/reference/sandbox.md. */
  readonly warning: string | undefined;
  /** Arguments and complete environment that run the program inside. */
  enclose(program: Program, environment: RunEnvironment): Enclosed;
}

export interface Program {
  /** Found on PATH, or a path in the workspace. */
  readonly file: string;
  readonly args: readonly string[];
  /** Folders outside of the workspace that the program needs. */
  readonly needs: readonly string[];
}

export interface RunEnvironment {
  /** The workspace: the only folder of the user that the command may change. */
  readonly directory: string;
  /** Home and temporary folder of this run. */
  readonly own: OwnFolder;
  /** Readable folders outside of the workspace. */
  readonly readable?: readonly string[] | undefined;
  /** Read-only mounts inside the workspace. */
  readonly mounts?: readonly BindMount[] | undefined;
  /** Files of the hub for this run, readable although their folder is hidden. */
  readonly visible?: readonly string[] | undefined;
  /** Read-only paths of the workspace. Their parents cannot be moved. */
  readonly fixed?: readonly Fixed[] | undefined;
  /** Entries of the user's home to mount in the home of the run. */
  readonly home?: readonly HomeEntry[] | undefined;
  /** Overrides the sandbox settings. */
  readonly network?: boolean | undefined;
  readonly limits?: ResourceLimits | undefined;
  /** Keeps the process in its group, for callers that signal the group. */
  readonly inGroup?: boolean | undefined;
}

export interface Fixed {
  readonly path: string;
  /** Its parent, which cannot be renamed. */
  readonly holder: string;
}

/** A file or folder of the user's home, with its path there. */
export interface HomeEntry {
  readonly from: string;
  readonly path: string;
  readonly writable: boolean;
}

/** Limits of resources; undefined means the system's limit. */
export interface ResourceLimits {
  /** Per process. */
  readonly memoryBytes?: number | undefined;
  /** Concurrent processes. */
  readonly processes?: number | undefined;
  /** Maximum size of a written file. */
  readonly fileBytes?: number | undefined;
}

export interface BindMount {
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

/** Settings of a sandbox. */
export interface SandboxSettings {
  readonly network: boolean;
  /** Additional readable folders, such as a package cache. */
  readonly readable: readonly string[];
  /** Paths that no command can see: the hub's data and keys. */
  readonly hidden: readonly string[];
  /** Paths that no command can change, also inside a workspace: the hub's configuration. */
  readonly fixed: readonly string[];
  /** Per process; undefined means the system's limit. */
  readonly memoryBytes: number | undefined;
  /** Concurrent processes; undefined means the system's limit. */
  readonly processes: number | undefined;
  /** Maximum size of a written file. */
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

/** Variables of the hub that commands inherit; HOME and TMPDIR are their own. */
export const passedOn = ["PATH", "LANG", "LC_ALL", "TZ"];
