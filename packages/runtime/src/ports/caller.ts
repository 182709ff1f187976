/** Who asks, as the border has made sure. */
export interface Caller {
  readonly tenantId: string;
  /** Name of the key, or of the person: it is what the record says of who did it. */
  readonly id: string;
  readonly kind: "human" | "agent" | "system";
  /** The key it came with; absent where the hub has none, and people cannot be told apart. */
  readonly keyId?: string;
  /** The trace that the call belongs to (W3C: 32 hexadecimal digits); work that it starts goes on with it. */
  readonly traceId?: string;
  /** The caller's own span in it (16 hexadecimal digits): the parent of what the hub does about the call. */
  readonly parentSpanId?: string;
}
