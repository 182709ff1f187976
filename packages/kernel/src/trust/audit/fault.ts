/** What can be wrong with a record. */
export type FaultKind =
  /** An entry is not what was written: its bytes and its hash disagree, or the entry after it remembers another. */
  | "changed"
  /** Entries are missing before one that is there. */
  | "removed"
  /** An entry has a number that another one has too. */
  | "inserted"
  /** Entries are all there, but not in their order. */
  | "reordered"
  /** The record ends before a point that it is known to have reached. */
  | "cut"
  /** What is written beside the store of where the record ends is missing, or older than the record's last signature. */
  | "head-missing"
  | "foreign-tenant"
  /** An entry has fields this version does not know. It may be right; a newer version can tell. */
  | "unreadable"
  /** A checkpoint is not signed by the key it names, or is not of this record. */
  | "checkpoint-forged"
  /** The record agrees with itself but not with what was kept elsewhere: it was written anew. */
  | "checkpoint-mismatch"
  /** It is signed with other keys than those that are trusted. */
  | "foreign-key"
  /** An exported file is not what was sealed, though its entries agree with one another. */
  | "file-changed";

export interface Fault {
  readonly kind: FaultKind;
  /** The number of the first entry that is wrong: for a missing entry its own, for one that is too many the one it bears. */
  readonly sequence: bigint;
  /** One sentence for a person. */
  readonly problem: string;
}
