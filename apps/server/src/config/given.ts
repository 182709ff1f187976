import { didYouMean, parseDurationMs } from "@baton/kernel";
import type { ConfigProblem } from "./problem.ts";

/** A value that a person has given, with its place. What is wrong is noted and reading goes on, to tell all at once. */
export class Given {
  readonly value: unknown;
  readonly #path: string;
  readonly #place: (path: string) => string;
  readonly #problems: ConfigProblem[];

  constructor(value: unknown, place: (path: string) => string, problems: ConfigProblem[], path = "") {
    this.value = value;
    this.#path = path;
    this.#place = place;
    this.#problems = problems;
  }

  get isThere(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  get place(): string {
    return this.#place(this.#path);
  }

  at(key: string): Given {
    return this.#child(this.#members()[key], this.#path ? `${this.#path}.${key}` : key);
  }

  /** Complains of every member that is not one of these. */
  only(known: readonly string[]): this {
    if (this.isThere && (typeof this.value !== "object" || Array.isArray(this.value))) {
      this.complain("must hold names and values", "write each as name: value, on a line of its own");
    }
    for (const key of Object.keys(this.#members())) {
      if (!known.includes(key))
        this.at(key).complain(
          `"${key}" is not known here`,
          `${didYouMean(key, known)}use one of: ${known.join(", ")}`,
        );
    }
    return this;
  }

  list(): readonly Given[] {
    if (!this.isThere) return [];
    if (Array.isArray(this.value))
      return this.value.map((item, index) => this.#child(item, `${this.#path}[${index}]`));
    this.complain("must be a list", "put each item on a line of its own, after a hyphen");
    return [];
  }

  text(): string {
    if (typeof this.value === "string" && this.value !== "") return this.value;
    this.complain("must be a text that is not empty", "write it in quotes");
    return "";
  }

  texts(): readonly string[] {
    return this.list().map((item) => item.text());
  }

  flag(): boolean {
    if (typeof this.value === "boolean") return this.value;
    this.complain("must be true or false", "write it without quotes");
    return false;
  }

  whole(): number {
    if (typeof this.value === "number" && Number.isSafeInteger(this.value) && this.value > 0)
      return this.value;
    const must = "a whole number of 1 or more";
    this.complain(`must be ${must}`, typeof this.value === "number" ? `write ${must}` : "write it as digits");
    return 1;
  }

  number(): number {
    if (typeof this.value === "number" && Number.isFinite(this.value)) return this.value;
    this.complain("must be a number", "write it as digits, with a point before decimals");
    return Number.NaN;
  }

  durationMs(): number {
    const ms = typeof this.value === "string" ? parseDurationMs(this.value) : undefined;
    if (ms !== undefined && ms > 0) return ms;
    if (ms === 0) this.complain("must be longer than zero", "write it such as 30s, or leave it out");
    else this.complain("is not a duration", "write a number and a unit, such as 500ms, 30s or 5m");
    return 1;
  }

  complain(message: string, fix: string): void {
    const name = message.startsWith('"') ? "" : this.#name;
    this.#problems.push({ code: "BATON-CONFIG-001", at: this.place, message: name + message, fix });
  }

  /** The path in a file, the option or the variable; of a file as a whole, its place says everything. */
  get #name(): string {
    const name = this.#path || (/:\d+:\d+$/.test(this.place) ? "" : this.place);
    return name === "" ? "" : `${name} `;
  }

  #child(value: unknown, path: string): Given {
    return new Given(value, this.#place, this.#problems, path);
  }

  #members(): Readonly<Record<string, unknown>> {
    const { value } = this;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  }
}
