import { RedactionFailure, type Redactor } from "@baton/kernel";

/** Headers that Connect quotes in its own errors. */
const readByConnect = /^(?:connect|grpc)-|encoding$|^te$/;

/** Redacts headers before Connect may quote them in an error. */
export function filterHeaders(headers: Headers, errors: Redactor): void {
  for (const [name, value] of [...headers]) {
    if (!readByConnect.test(name)) continue;
    const filtered = filterValue(value, errors);
    if (filtered !== value) headers.set(name, filtered);
  }
}

function filterValue(value: string, errors: Redactor): string {
  try {
    return errors.redactText(value).text;
  } catch (error) {
    if (error instanceof RedactionFailure) return "withheld";
    throw error;
  }
}

/** The longest delay of a timer, 24 days: with a longer one it fires at once. */
const longestMs = 2 ** 31 - 1;

const unitMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** Removes a deadline beyond the longest timer: clients without a deadline send such values. */
export function boundDeadline(header: Headers): void {
  const [, count, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(header.get("grpc-timeout") ?? "") ?? [];
  if (count !== undefined && Number(count) * (unitMs[unit] ?? 1) > longestMs) header.delete("grpc-timeout");
  const ms = header.get("connect-timeout-ms") ?? "";
  if (/^\d{1,10}$/.test(ms) && Number(ms) > longestMs) header.delete("connect-timeout-ms");
}
