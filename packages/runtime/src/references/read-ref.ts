import type { Ref, Workspace } from "@baton/contract";

/** What reading a reference gave. */
export interface Reading {
  /** Of the content, as `sha256:` and hexadecimal digits. */
  readonly digest: string;
  /** What was read: a commit, a time, or what a server calls it. Empty where nothing has a version. */
  readonly versionOrSha: string;
}

/** Reads one reference again. Throws `Unreadable` with the reason why it cannot; anything else is a failure as well. */
export type ReadRef = (ref: Ref, from: ReadFrom) => Promise<Reading>;

export interface ReadFrom {
  readonly tenantId: string;
  /** Where paths begin that are not absolute. */
  readonly workspace: Workspace | undefined;
  /** The hub made that place, so it may be read wherever it lies. */
  readonly ownPlace: boolean;
  /** Fires when nobody waits for it any more. */
  readonly signal: AbortSignal;
}
