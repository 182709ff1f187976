import { randomBytes } from "node:crypto";

/** Where a request belongs in the trace of whoever asks (OBS-01; W3C Trace Context). */
export interface Trace {
  readonly traceId: string;
  /** Of the hub's part of the trace. */
  readonly spanId: string;
  /** Of the caller; absent when the caller has none. */
  readonly parentSpanId: string | undefined;
  readonly flags: string;
}

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Goes on with the caller's trace; begins one when there is none, or what is there is not valid. */
export function readTrace(header: string | null | undefined): Trace {
  const spanId = randomBytes(8).toString("hex");
  const [, version, traceId, parentSpanId, flags, more] = traceparent.exec(header ?? "") ?? [];
  const isValid =
    version !== undefined &&
    version !== "ff" &&
    !(version === "00" && more !== undefined) && // Only later versions may say more.
    !isZero(traceId) &&
    !isZero(parentSpanId);
  if (!isValid || traceId === undefined || flags === undefined) {
    return { traceId: randomBytes(16).toString("hex"), spanId, parentSpanId: undefined, flags: "00" };
  }
  return { traceId, spanId, parentSpanId, flags };
}

/** The answer's header, by which the caller finds the hub's part. */
export function writeTrace({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

function isZero(id: string | undefined): boolean {
  return id === undefined || /^0+$/.test(id);
}
