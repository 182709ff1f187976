import type { JsonObject } from "@bufbuild/protobuf";

export interface OutcomeOptions {
  /** What the next agent is given, and what conditions read (SACP §2). */
  readonly data?: JsonObject;
  /** The reasoning; for people. */
  readonly thought?: string;
  readonly nextStepHint?: string;
  readonly confidence?: "confident" | "uncertain" | "blocked";
  /** Why there is no evidence, when there is none. */
  readonly noEvidence?: string;
  /** The commit that holds the work. */
  readonly commit?: string;
}

export interface FailureOptions extends OutcomeOptions {
  /** Whether another attempt may succeed. Not, unless stated. */
  readonly retryable?: boolean;
  /** Stable key, such as `TEST_SUITE_FAILED`. */
  readonly code?: string;
  readonly blockers?: readonly BlockerGiven[];
}

export type BlockerKind =
  | "ambiguous-requirement"
  | "dependency-missing"
  | "tool-failure"
  | "permission-denied"
  | "timeout"
  | "other";

export interface BlockerGiven {
  readonly description: string;
  readonly kind?: BlockerKind;
  readonly suggestion?: string;
}
