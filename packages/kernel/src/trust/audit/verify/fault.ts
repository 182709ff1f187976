/** Faults of a record. */
export type FaultKind =
  /** An entry was changed: its bytes and its hash disagree, or the next entry has another `previous_hash`. */
  | "changed"
  /** Entries are missing before an existing one. */
  | "removed"
  /** Two entries have the same sequence. */
  | "inserted"
  /** The entries are complete, but not in order. */
  | "reordered"
  /** The record ends before a known later point. */
  | "cut"
  /** The head file beside the store is missing, or older than the last signature of the record. */
  | "head-missing"
  | "foreign-tenant"
  /** An entry has fields that this version does not know; a newer version can verify it. */
  | "unreadable"
  /** A checkpoint is not signed by its key, or belongs to another record. */
  | "checkpoint-forged"
  /** The record is consistent in itself, but not with a kept checkpoint: it was rewritten. */
  | "checkpoint-mismatch"
  /** It is signed with keys that are not trusted. */
  | "foreign-key"
  /** An exported file was changed after signing, though its entries are consistent. */
  | "file-changed";

export interface Fault {
  readonly kind: FaultKind;
  /** The sequence of the first wrong entry: for a missing entry its own, for an inserted one the one it states. */
  readonly sequence: bigint;
  /** One sentence for a person. */
  readonly problem: string;
}
