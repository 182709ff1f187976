import type { FieldViolation } from "@baton/contract";

export type HubErrorKind =
  /** The request cannot be right, whatever the state. */
  | "invalid"
  /** There is no such thing, or it is another tenant's: the answer is the same. */
  | "not-found"
  /** The state does not allow it now. */
  | "precondition"
  /** The same key was used for something else. */
  | "exists"
  /** It is not this caller's to ask. */
  | "denied"
  /** There is too much of it now; try later. */
  | "exhausted"
  /** The hub cannot do it now; try later. */
  | "unavailable"
  /** A mistake of the hub. */
  | "internal";

export interface HubErrorDetail {
  readonly fix: string;
  readonly violations?: readonly Pick<FieldViolation, "field" | "rule" | "message">[];
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** Why the hub did not do what was asked. Nothing of it was done. */
export class HubError extends Error {
  override readonly name = "HubError";
  readonly kind: HubErrorKind;
  /** Stable key, such as `BATON-PIPELINE-002`. */
  readonly code: string;
  readonly fix: string;
  readonly violations: readonly Pick<FieldViolation, "field" | "rule" | "message">[];
  readonly retryAfterMs: number | undefined;

  constructor(kind: HubErrorKind, code: string, message: string, detail: HubErrorDetail) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.kind = kind;
    this.code = code;
    this.fix = detail.fix;
    this.violations = detail.violations ?? [];
    this.retryAfterMs = detail.retryAfterMs;
  }
}
