import type { TraceContext } from "@baton/contract";

/** W3C Trace Context forbids ids of zeros only. */
const traceIdPattern = /^(?!0{32})[0-9a-f]{32}$/;
const spanIdPattern = /^(?!0{16})[0-9a-f]{16}$/;

/** The header that puts a call into its trace (OBS-01); none without a valid trace. */
export function traceHeaders({ traceId, spanId }: Partial<TraceContext> = {}): Record<string, string> {
  if (!traceIdPattern.test(traceId ?? "") || !spanIdPattern.test(spanId ?? "")) return {};
  return { traceparent: `00-${traceId}-${spanId}-01` };
}
