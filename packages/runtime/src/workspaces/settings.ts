import type { AllowedWorkspaces } from "../processes/allowed-workspaces.ts";
import type { WorkspaceRegistry } from "./workspace-registry.ts";

export interface SnapshotLimits {
  /** Maximum number of files that differ from the base commit. A snapshot with more of them fails. */
  readonly files: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
}

export const defaultSnapshotLimits: SnapshotLimits = {
  files: 10_000,
  fileBytes: 268_435_456,
  totalBytes: 1_073_741_824,
};

export interface WorkspaceSettings {
  /** Folders that may contain repositories. */
  readonly allowed: AllowedWorkspaces;
  /** Paths in the user's checkout that the contract's commands can read beside the commit. */
  readonly dependencies: readonly string[];
  /** Which workspaces stay after their attempt has ended. Their commits always stay. */
  readonly keep: "never" | "failed" | "always";
  readonly keepForMs: number;
  /** WorkspaceRegistry that there may be at once. Those that only stay for a while make room, the oldest first. */
  readonly maxWorkspaces: number;
  /** Maximum size of all checkouts together, enforced in the same way. */
  readonly maxBytes: number;
  readonly maxWorkspaceBytes: number;
  /** Maximum size of the pack of an agent's own commits. */
  readonly maxHistoryBytes: number;
  readonly snapshot: SnapshotLimits;
  /** Maximum number of reported files to digest, bytes of one file, and bytes of all of them. */
  readonly maxArtifacts: number;
  readonly maxArtifactBytes: number;
  readonly maxTotalArtifactBytes: number;
  /** Timeout for digesting all of them. */
  readonly artifactsMs: number;
}

export const defaultWorkspaceSettings: WorkspaceSettings = {
  allowed: "any",
  dependencies: [],
  keep: "failed",
  keepForMs: 24 * 60 * 60_000,
  maxWorkspaces: 100,
  maxBytes: 21_474_836_480,
  maxWorkspaceBytes: 4_294_967_296,
  maxHistoryBytes: 1_073_741_824,
  snapshot: defaultSnapshotLimits,
  maxArtifacts: 1_000,
  maxArtifactBytes: 268_435_456,
  maxTotalArtifactBytes: 1_073_741_824,
  artifactsMs: 60_000,
};

/** Dependencies shared by all operations on workspaces. */
export interface WorkspaceParts {
  readonly settings: WorkspaceSettings;
  readonly registry: WorkspaceRegistry;
  /** Parent folder of the hub's private git directories. */
  readonly scratchFolder: string;
  now(): number;
}
