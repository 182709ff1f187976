/** What a timer of Node can wait: 24 days. With more it would not wait at all. */
const longestMs = 2 ** 31 - 1;

const unitMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** Takes out a deadline that lies so far ahead that nobody could wait for it: clients that want none send such. */
export function boundDeadline(header: Headers): void {
  const [, count, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(header.get("grpc-timeout") ?? "") ?? [];
  if (count !== undefined && Number(count) * (unitMs[unit] ?? 1) > longestMs) header.delete("grpc-timeout");
  const ms = header.get("connect-timeout-ms") ?? "";
  if (/^\d{1,10}$/.test(ms) && Number(ms) > longestMs) header.delete("connect-timeout-ms");
}
