import { randomBytes } from "node:crypto";

/** The position of a call in the caller's trace (OBS-01; W3C Trace Context). */
export interface Trace {
  readonly traceId: string;
  /** The hub's span. */
  readonly spanId: string;
  /** The caller's span. */
  readonly parentSpanId: string | undefined;
  readonly flags: string;
}

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Continues the caller's trace, or begins one when the header is missing or invalid. */
export function readTrace(header: string | null | undefined): Trace {
  const spanId = randomBytes(8).toString("hex");
  const [, version, traceId, parentSpanId, flags, more] = traceparent.exec(header ?? "") ?? [];
  const isValid =
    version !== undefined &&
    version !== "ff" &&
    !(version === "00" && more !== undefined) && // Only later versions may have more fields.
    !isZero(traceId) &&
    !isZero(parentSpanId);
  if (!isValid || traceId === undefined || flags === undefined) {
    return { traceId: randomBytes(16).toString("hex"), spanId, parentSpanId: undefined, flags: "00" };
  }
  return { traceId, spanId, parentSpanId, flags };
}

/** The response header, by which the caller finds the hub's span. */
export function writeTrace({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

function isZero(id: string | undefined): boolean {
  return id === undefined || /^0+$/.test(id);
}
