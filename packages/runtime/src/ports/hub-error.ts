import type { FieldViolation } from "@baton/contract";

export type HubErrorKind =
  /** The request is invalid in any state. */
  | "invalid"
  /** Does not exist, or belongs to another tenant: the error is the same. */
  | "not-found"
  /** The current state does not allow it. */
  | "precondition"
  /** The idempotency key was used for another request. */
  | "exists"
  /** The caller may not do this. */
  | "denied"
  /** A limit is reached; try later. */
  | "exhausted"
  /** Temporarily unavailable; try later. */
  | "unavailable"
  /** A fault of the hub. */
  | "internal";

export interface HubErrorDetail {
  readonly fix: string;
  readonly violations?: readonly Pick<FieldViolation, "field" | "rule" | "message">[];
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** Why the hub refused a request. Nothing of it was done. */
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
