import { type Duration, durationFromMs, type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { InvalidArgumentError } from "commander";
import { CliError } from "../errors/cli-error.ts";

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export interface Deadline {
  readonly at: Timestamp;
  /** The given duration, if relative: the same option means another instant tomorrow. */
  readonly fromNow: Duration | undefined;
}

/** `90s`, `30m`, `2h`, `1d` from now, or an instant such as `2027-01-31T12:00:00Z`. */
export function readDeadline(text: string): Deadline {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (amount !== undefined && isUnit(unit)) {
    const ms = Number(amount) * units[unit];
    if (ms === 0) throw pastDeadline(text);
    return { at: timestampFromMs(Date.now() + ms), fromNow: durationFromMs(ms) };
  }
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isInstant ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) {
    throw new InvalidArgumentError("Give a time from now such as 2h, or an instant: 2027-01-31T12:00:00Z.");
  }
  if (ms <= Date.now()) throw pastDeadline(text);
  return { at: timestampFromMs(ms), fromNow: undefined };
}

/** How long one attempt may take: `90s`, `30m`, `2h`, `1d`. */
export function readTimeout(text: string): Duration {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = amount !== undefined && isUnit(unit) ? Number(amount) * units[unit] : 0;
  if (ms === 0) throw new InvalidArgumentError("Give a time longer than zero, such as 90s, 30m or 2h.");
  return durationFromMs(ms);
}

function pastDeadline(text: string): CliError {
  return new CliError("BATON-CLI-001", `the deadline ${text} is past`, {
    at: "--deadline",
    fix: "give a time that lies ahead: 2h from now, or a later instant with its time zone",
  });
}

function isUnit(unit: string | undefined): unit is keyof typeof units {
  return unit !== undefined && Object.hasOwn(units, unit);
}
