import type { Ref, Workspace } from "@baton/contract";

/** Result of reading a reference. */
export interface Reading {
  /** Digest of the content, `sha256:` and hexadecimal digits. */
  readonly digest: string;
  /** The version that was read: a commit, a time or an ETag. Empty for content without versions. */
  readonly versionOrSha: string;
}

/** Reads one reference. Throws `Unreadable` with the reason; other errors are failures as well. */
export type ReadRef = (ref: Ref, from: ReadFrom) => Promise<Reading>;

export interface ReadFrom {
  readonly tenantId: string;
  /** Base of relative paths. */
  readonly workspace: Workspace | undefined;
  /** The hub prepared the workspace, so it may be read anywhere. */
  readonly ownPlace: boolean;
  /** Fires when the result is no longer needed. */
  readonly signal: AbortSignal;
}
