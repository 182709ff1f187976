import { nearest } from "@baton/contract";
import { nameFault } from "../names.ts";
import type { Problem, ProblemCode } from "../problem.ts";

/** Other names are not part of a path: a split name could be half of a secret. */
const plainName = /^[\w-]{1,200}$/;

/**
 * A value of a configuration file, with its path. The caller maps the path to file, line and column. Reading continues
 * after a problem, so that all are reported at once.
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

  /** A name without a value counts as absent: `admission:` above commented lines. */
  get isPresent(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** A member of an object; its value is undefined when absent. */
  at(key: string): Reading {
    const members = this.members() ?? {};
    const value = Object.hasOwn(members, key) ? members[key] : undefined;
    return new Reading(value, this.path ? `${this.path}.${key}` : key, this.problems);
  }

  /** The same position with another value, without reporting problems. */
  withoutReporting(value: unknown): Reading {
    return new Reading(value, this.path, []);
  }

  /** Reports unknown members of an object. */
  only(known: readonly string[]): this {
    for (const key of Object.keys(this.members() ?? {})) {
      if (known.includes(key)) continue;
      const meant = nearest(key, known);
      const fix = meant === undefined ? `use one of: ${known.join(", ")}` : `did you mean ${meant}?`;
      if (plainName.test(key)) this.at(key).reportInvalid("is not known here", fix);
      else this.reportInvalid("has a name in it that is not known here", fix);
    }
    return this;
  }

  /** Absent names of which a misspelling is present. */
  misspelt(known: readonly string[]): ReadonlySet<string> {
    const members = this.members() ?? {};
    const meant = Object.keys(members)
      .filter((key) => !known.includes(key))
      .flatMap((key) => nearest(key, known) ?? []);
    return new Set(meant.filter((name) => !this.at(name).isPresent));
  }

  /** The items of a list; empty for anything else. */
  items(): readonly Reading[] {
    if (!Array.isArray(this.value)) return [];
    return this.value.map((item, index) => new Reading(item, `${this.path}[${index}]`, this.problems));
  }

  members(): Record<string, unknown> | undefined {
    const { value } = this;
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  }

  /** Reports a wrong form, which the JSON Schema of the file refuses too. */
  reportInvalid(message: string, fix: string): void {
    this.#note("BATON-CONFIG-001", message, fix);
  }

  /** Reports what no schema can check: an unknown name, or a contradiction. */
  reportInconsistent(message: string, fix: string): void {
    this.#note("BATON-CONFIG-002", message, fix);
  }

  #note(code: ProblemCode, message: string, fix: string): void {
    this.problems.push({ code, at: this.path, message, fix });
  }
}

/** Checks a name. Unreadable values are reported already. */
export function checkName(reading: Reading, text = ""): void {
  const why = nameFault(text);
  if (why !== undefined) reading.reportInconsistent(why, "use up to 256 characters that can be seen");
}
