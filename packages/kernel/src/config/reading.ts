import type { Problem } from "../problem.ts";

/**
 * A value that a person wrote into a file, with the path to it. Whoever has the text turns the path into file, line and
 * column. Every mistake is noted, and reading goes on, so that all of them are told at once.
 */
export class Reading {
  readonly value: unknown;
  readonly path: string;
  readonly problems: Problem[];

  constructor(value: unknown, path = "", problems: Problem[] = []) {
    this.value = value;
    this.path = path;
    this.problems = problems;
  }

  /** A member of an object; its value is undefined when it is not there. */
  at(key: string): Reading {
    const members = this.members();
    return new Reading(members?.[key], this.path ? `${this.path}.${key}` : key, this.problems);
  }

  /** The members of an object, of which only the named ones may be there. */
  only(known: readonly string[]): this {
    for (const key of Object.keys(this.members() ?? {})) {
      if (!known.includes(key)) this.at(key).complain("is not known here", `use one of: ${known.join(", ")}`);
    }
    return this;
  }

  list(): readonly Reading[] {
    if (this.value === undefined || this.value === null) return [];
    if (Array.isArray(this.value)) {
      return this.value.map((item, index) => new Reading(item, `${this.path}[${index}]`, this.problems));
    }
    this.complain("must be a list", "put each item on a line of its own, after a hyphen");
    return [];
  }

  text(): string {
    if (typeof this.value === "string" && this.value !== "") return this.value;
    this.complain("must be a text that is not empty", "write it in quotes");
    return "";
  }

  whole(least: number, otherwise: number): number {
    if (this.value === undefined) return otherwise;
    if (typeof this.value === "number" && Number.isSafeInteger(this.value) && this.value >= least)
      return this.value;
    this.complain(`must be a whole number of ${least} or more`, "write it as digits");
    return otherwise;
  }

  flag(otherwise: boolean): boolean {
    if (this.value === undefined) return otherwise;
    if (typeof this.value === "boolean") return this.value;
    this.complain("must be true or false", "write it without quotes");
    return otherwise;
  }

  /** Such as 500ms, 30s, 5m, 2h or 1d. */
  durationMs(otherwise: number): number {
    if (this.value === undefined) return otherwise;
    const ms = typeof this.value === "string" ? parseDurationMs(this.value) : undefined;
    if (ms !== undefined) return ms;
    this.complain("is not a duration", "write a number and a unit, such as 500ms, 30s, 5m, 2h or 1d");
    return otherwise;
  }

  complain(message: string, fix: string): void {
    this.problems.push({ code: "BATON-CONFIG-001", at: this.path, message, fix });
  }

  private members(): Record<string, unknown> | undefined {
    const { value } = this;
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  }
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Undefined for what is no duration, or one of more than ten thousand years. */
export function parseDurationMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  const ms = Math.round(Number(count) * unitMs[unit as keyof typeof unitMs]);
  return ms <= 315_576_000_000_000 ? ms : undefined;
}
