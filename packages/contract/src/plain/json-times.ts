import { notPlain } from "./plain-bytes.ts";

/** The first second of the year 1, and the last of the year 9999: no others have a form in JSON. */
const [firstSecond, lastSecond] = [-62_135_596_800n, 253_402_300_799n];
const mostDurationSeconds = 315_576_000_000n;
const nanosPerSecond = 1_000_000_000;

/** The second that was written last: events of one batch mostly share it. */
const last = { seconds: 0n, text: '"1970-01-01T00:00:00' };

/** The JSON form of google.protobuf.Timestamp. */
export function writeTimestamp(value: unknown): string {
  const { seconds, nanos } = partsOf(value, "google.protobuf.Timestamp");
  if (seconds !== last.seconds) {
    if (seconds < firstSecond || seconds > lastSecond) throw notPlain;
    last.text = `"${new Date(Number(seconds) * 1_000).toISOString().slice(0, "YYYY-MM-DDThh:mm:ss".length)}`;
    last.seconds = seconds;
  }
  return `${last.text}${fraction(nanos)}Z"`;
}

/** The JSON form of google.protobuf.Duration, when it is not negative. */
export function writeDuration(value: unknown): string {
  const { seconds, nanos } = partsOf(value, "google.protobuf.Duration");
  if (seconds < 0n || seconds > mostDurationSeconds) throw notPlain;
  return `"${seconds}${fraction(nanos)}s"`;
}

function partsOf(value: unknown, typeName: string): { readonly seconds: bigint; readonly nanos: number } {
  if (typeof value !== "object" || value === null) throw notPlain;
  const parts = value as Readonly<Record<string, unknown>>;
  const { seconds, nanos } = parts;
  if (parts.$typeName !== typeName || typeof seconds !== "bigint" || typeof nanos !== "number")
    throw notPlain;
  if (!(Number.isInteger(nanos) && nanos >= 0 && nanos < nanosPerSecond)) throw notPlain;
  return { seconds, nanos };
}

/** Three, six or nine digits, as many as are needed. */
function fraction(nanos: number): string {
  if (nanos === 0) return "";
  const digits = String(nanos + nanosPerSecond).slice(1);
  if (nanos % 1_000_000 === 0) return `.${digits.slice(0, 3)}`;
  return `.${nanos % 1_000 === 0 ? digits.slice(0, 6) : digits}`;
}
