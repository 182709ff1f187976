import { didYouMean, parseDurationMs } from "@baton/kernel";
import type { ConfigProblem } from "../files/problem.ts";

/** A value of the configuration and its position. Collects problems while reading, to report all of them at once. */
export class Setting {
  readonly value: unknown;
  readonly #path: string;
  readonly #positionOf: (path: string) => string;
  readonly #problems: ConfigProblem[];

  constructor(value: unknown, positionOf: (path: string) => string, problems: ConfigProblem[], path = "") {
    this.value = value;
    this.#path = path;
    this.#positionOf = positionOf;
    this.#problems = problems;
  }

  get isSet(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  get position(): string {
    return this.#positionOf(this.#path);
  }

  at(key: string): Setting {
    return this.#child(this.#members()[key], this.#path ? `${this.#path}.${key}` : key);
  }

  /** Refuses every other key. */
  only(known: readonly string[]): this {
    if (this.isSet && (typeof this.value !== "object" || Array.isArray(this.value))) {
      this.refuse("must hold names and values", "write each as name: value, one per line");
    }
    for (const key of Object.keys(this.#members())) {
      if (!known.includes(key))
        this.at(key).refuse(
          `"${key}" is not known here`,
          `${didYouMean(key, known)}use one of: ${known.join(", ")}`,
        );
    }
    return this;
  }

  list(): readonly Setting[] {
    if (!this.isSet) return [];
    if (Array.isArray(this.value))
      return this.value.map((item, index) => this.#child(item, `${this.#path}[${index}]`));
    this.refuse("must be a list", "put each item on a line of its own, after a hyphen");
    return [];
  }

  /** Reads the value when it is set. */
  optional<Value>(read: (setting: this) => Value): Value | undefined {
    return this.isSet ? read(this) : undefined;
  }

  /** One of these values; refuses any other and returns undefined. */
  oneOf<Value>(values: readonly Value[], what: string): Value | undefined {
    const found = values.find((known) => known === this.value);
    if (found === undefined)
      this.refuse(`"${String(this.value)}" is not ${what}`, `use one of: ${values.join(", ")}`);
    return found;
  }

  text(): string {
    if (typeof this.value === "string" && this.value !== "") return this.value;
    this.refuse("must be a non-empty string", "write it in quotes");
    return "";
  }

  texts(): readonly string[] {
    return this.list().map((item) => item.text());
  }

  flag(): boolean {
    if (typeof this.value === "boolean") return this.value;
    this.refuse("must be true or false", "write it without quotes");
    return false;
  }

  whole(): number {
    if (typeof this.value === "number" && Number.isSafeInteger(this.value) && this.value > 0)
      return this.value;
    const must = "a whole number of 1 or more";
    this.refuse(`must be ${must}`, typeof this.value === "number" ? `write ${must}` : "write it as digits");
    return 1;
  }

  number(): number {
    if (typeof this.value === "number" && Number.isFinite(this.value)) return this.value;
    this.refuse("must be a number", "write it as digits, with a decimal point");
    return Number.NaN;
  }

  durationMs(): number {
    const ms = typeof this.value === "string" ? parseDurationMs(this.value) : undefined;
    if (ms !== undefined && ms > 0) return ms;
    if (ms === 0) this.refuse("must be longer than zero", "write a duration such as 30s, or remove it");
    else this.refuse("is not a duration", "write a number and a unit, such as 500ms, 30s or 5m");
    return 1;
  }

  refuse(message: string, fix: string): void {
    const name = message.startsWith('"') ? "" : this.#name;
    this.#problems.push({ code: "BATON-CONFIG-001", at: this.position, message: name + message, fix });
  }

  /** The path in a file, the option or the variable; a file as a whole needs no name beside its position. */
  get #name(): string {
    const name = this.#path || (/:\d+:\d+$/.test(this.position) ? "" : this.position);
    return name === "" ? "" : `${name} `;
  }

  #child(value: unknown, path: string): Setting {
    return new Setting(value, this.#positionOf, this.#problems, path);
  }

  #members(): Readonly<Record<string, unknown>> {
    const { value } = this;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  }
}

/** Drops undefined values. */
export function defined<Values extends object>(
  values: Values,
): { [Key in keyof Values]?: Exclude<Values[Key], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Values]?: Exclude<Values[Key], undefined> };
}
