/** Why something was refused: a code from a closed set, the position, and the fix. */
export interface Problem {
  readonly code: ProblemCode;
  /** Path of the field or stage at fault, such as `stages[2].depends_on_stages[0]`; empty for the whole. */
  readonly at: string;
  readonly message: string;
  readonly fix: string;
}

export type ProblemCode =
  /** A pipeline that cannot be run as it is written (A §4.4). */
  | "BATON-PIPELINE-001"
  /** A command that the pipeline's state does not allow (A §4.5). */
  | "BATON-PIPELINE-002"
  /** Something that the command names is not there. */
  | "BATON-PIPELINE-003"
  /** The command is not this actor's to give. */
  | "BATON-PIPELINE-004"
  /** The task came back with other content under the same idempotency key. */
  | "BATON-PIPELINE-005"
  /** A mistake of the hub itself. */
  | "BATON-PIPELINE-006"
  /** It could not be written into the record without what must not be in it (A §5.3). */
  | "BATON-PIPELINE-007"
  /** Work would be given up that nobody has said to give up (TUR-08). */
  | "BATON-PIPELINE-008"
  /** The pipeline is no longer what was looked at and agreed on (TUR-08). */
  | "BATON-PIPELINE-009"
  /** Limits that a run cannot have: less than it has spent, or a deadline that has passed. */
  | "BATON-PIPELINE-010"
  /** A configuration file that does not have the form of one (A §3.1, §4.4, §5.3). */
  | "BATON-CONFIG-001"
  /** A configuration file that says what cannot be: a name that leads nowhere, two statements that contradict. */
  | "BATON-CONFIG-002";
