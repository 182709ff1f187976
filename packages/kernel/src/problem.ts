/** Why something was refused: a code from a closed set, the position, and the fix. */
export interface Problem {
  readonly code: ProblemCode;
  /** Path of the field or stage at fault, such as `stages[2].depends_on_stages[0]`; empty for the whole. */
  readonly at: string;
  readonly message: string;
  readonly fix: string;
}

export type ProblemCode =
  /** A pipeline that cannot be planned (A §4.4). */
  | "BATON-PIPELINE-001"
  /** A command that the pipeline's state does not allow (A §4.5). */
  | "BATON-PIPELINE-002"
  /** The command names something unknown. */
  | "BATON-PIPELINE-003"
  /** The actor may not give this command. */
  | "BATON-PIPELINE-004"
  /** Another task under the same idempotency key. */
  | "BATON-PIPELINE-005"
  /** An internal error of the hub. */
  | "BATON-PIPELINE-006"
  /** It could not be redacted for the record (A §5.3). */
  | "BATON-PIPELINE-007"
  /** Work would be discarded without confirmation (TUR-08). */
  | "BATON-PIPELINE-008"
  /** The pipeline has changed since the caller read it (TUR-08). */
  | "BATON-PIPELINE-009"
  /** Limits below what a run has spent, or a deadline in the past. */
  | "BATON-PIPELINE-010"
  /** Too many tasks wait for one execution (SAP V2 §6). */
  | "BATON-CACHE-001"
  /** An issuer that may not issue this capability (SAP V2 §11). */
  | "BATON-GOVERNANCE-001"
  /** A step of an attempt that is over (PIP-11). */
  | "BATON-STEP-001"
  /** A step that an earlier attempt completed. */
  | "BATON-STEP-002"
  /** More steps, or larger ones, than an attempt may have. */
  | "BATON-STEP-003"
  /** A configuration file of the wrong form (A §3.1, §4.4, §5.3). */
  | "BATON-CONFIG-001"
  /** A configuration file that contradicts itself or names something unknown. */
  | "BATON-CONFIG-002";
