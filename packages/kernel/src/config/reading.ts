import { nearest } from "@baton/contract";
import { nameFault } from "../names.ts";
import type { Problem, ProblemCode } from "../problem.ts";

/** A path of other names cannot be taken apart again: what is left of one may be half of something that is to be masked. */
const plainName = /^[\w-]{1,200}$/;

/**
 * A value that a person wrote into a file, with the path to it. The caller that has the text maps the path to file, line and
 * column. Reading continues after a mistake, so that all of them are reported at once.
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

  /** A name without a value is as good as none: `admission:` over lines that are commented out. */
  get isPresent(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** A member of an object; its value is undefined when it is not there. */
  at(key: string): Reading {
    const members = this.members() ?? {};
    const value = Object.hasOwn(members, key) ? members[key] : undefined;
    return new Reading(value, this.path ? `${this.path}.${key}` : key, this.problems);
  }

  /** The same place, where mistakes are of no interest. */
  withoutReporting(value: unknown): Reading {
    return new Reading(value, this.path, []);
  }

  /** The members of an object, of which only the named ones may be there. */
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

  /** Which of the names that are not there somebody has meant and written otherwise. */
  misspelt(known: readonly string[]): ReadonlySet<string> {
    const members = this.members() ?? {};
    const meant = Object.keys(members)
      .filter((key) => !known.includes(key))
      .flatMap((key) => nearest(key, known) ?? []);
    return new Set(meant.filter((name) => !this.at(name).isPresent));
  }

  /** The items of a list; none, without a word, when it is no list. */
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

  /** Of the form of what is written: the JSON Schema of the file says the same. */
  reportInvalid(message: string, fix: string): void {
    this.#note("BATON-CONFIG-001", message, fix);
  }

  /** Of its meaning, which no schema can see: a name that leads nowhere, or two statements that do not go together. */
  reportInconsistent(message: string, fix: string): void {
    this.#note("BATON-CONFIG-002", message, fix);
  }

  #note(code: ProblemCode, message: string, fix: string): void {
    this.problems.push({ code, at: this.path, message, fix });
  }
}

/** A name that people have to read and type; what could not be read has been complained of. */
export function checkName(place: Reading, text = ""): void {
  const why = nameFault(text);
  if (why !== undefined) place.reportInconsistent(why, "use up to 256 characters that can be seen");
}
