/** The authenticated caller. */
export interface Caller {
  readonly tenantId: string;
  /** Name of the key or the person, as in the audit record. */
  readonly id: string;
  readonly kind: "human" | "agent" | "system";
  /** The key of the call; absent where the hub has no keys, and callers are not distinguished. */
  readonly keyId?: string;
  /** The trace of the call (W3C: 32 hexadecimal digits), which the work that it starts continues. */
  readonly traceId?: string;
  /** The span of the caller (16 hexadecimal digits), the parent of the spans of the hub. */
  readonly parentSpanId?: string;
}
