import type { AllowedWorkspaces } from "../evidence/allowed-workspaces.ts";
import type { Places } from "./places.ts";
import { defaultSnapshotLimits, type SnapshotLimits } from "./snapshot.ts";

export interface WorkspaceSettings {
  /** Where repositories may lie. */
  readonly allowed: AllowedWorkspaces;
  /** Folders of a repository's own checkout, by their path in it, that the contract's commands find beside the commit. */
  readonly dependencies: readonly string[];
  /** Which places stay for a while when nobody works in them any more. Their commits stay always. */
  readonly keep: "never" | "failed" | "always";
  readonly keepForMs: number;
  /** Places that there may be at once. Those that only stay for a while make room, the oldest first. */
  readonly mostPlaces: number;
  /** Of all files that were put into places; the same. */
  readonly mostBytes: number;
  readonly mostPlaceBytes: number;
  /** Of an agent's own commits, packed. */
  readonly mostHistoryBytes: number;
  readonly snapshot: SnapshotLimits;
  /** Files that an agent names whose digest is looked at, the size of one, and of all together. */
  readonly mostArtifacts: number;
  readonly mostArtifactBytes: number;
  readonly mostArtifactsBytes: number;
  /** The time for looking at all of them. */
  readonly artifactsMs: number;
}

export const defaultWorkspaceSettings: WorkspaceSettings = {
  allowed: "any",
  dependencies: [],
  keep: "failed",
  keepForMs: 24 * 60 * 60_000,
  mostPlaces: 100,
  mostBytes: 21_474_836_480,
  mostPlaceBytes: 4_294_967_296,
  mostHistoryBytes: 1_073_741_824,
  snapshot: defaultSnapshotLimits,
  mostArtifacts: 1_000,
  mostArtifactBytes: 268_435_456,
  mostArtifactsBytes: 1_073_741_824,
  artifactsMs: 60_000,
};

/** What all work with places has in common. */
export interface WorkspaceParts {
  readonly settings: WorkspaceSettings;
  readonly places: Places;
  /** Where the hub works with git itself. */
  readonly desks: string;
  now(): number;
}
