import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** A problem of an answer, with its path. */
export interface AnswerProblem {
  readonly at: string;
  readonly message: string;
}

/** Items of one list. */
const maxItems = 1_000;

/** An object of an answer, read field by field. Names may be in snake_case or in lowerCamelCase. */
export class GivenObject {
  readonly #value: JsonObject;
  readonly #at: string;
  readonly #problems: AnswerProblem[];

  constructor(value: JsonObject, at: string, problems: AnswerProblem[]) {
    this.#value = value;
    this.#at = at;
    this.#problems = problems;
  }

  /** Null counts as absent: models write it for empty fields. */
  raw(name: string): JsonValue | undefined {
    const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return this.#value[name] ?? this.#value[camel] ?? undefined;
  }

  text(name: string): string {
    const value = this.raw(name);
    if (value === undefined || typeof value === "string") return value ?? "";
    return this.complain(name, "must be a text", "");
  }

  oneOf<Choice>(name: string, choices: Readonly<Record<string, Choice>>): Choice | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const known = typeof value === "string" ? choices[value.toLowerCase().replaceAll("-", "_")] : undefined;
    if (known !== undefined) return known;
    return this.complain(name, `must be one of ${Object.keys(choices).join(", ")}`, undefined);
  }

  bool(name: string): boolean {
    const value = this.raw(name);
    if (typeof value === "boolean") return value;
    return this.complain(name, "must be true or false", false);
  }

  wholeNumber(name: string): number | undefined {
    const value = this.raw(name);
    if (value === undefined || (typeof value === "number" && Number.isInteger(value))) return value;
    return this.complain(name, "must be a whole number", undefined);
  }

  object(name: string): JsonObject {
    const value = this.raw(name);
    if (value === undefined || isObject(value)) return value ?? {};
    return this.complain(name, "must be an object", {});
  }

  texts(name: string): string[] {
    return this.items(name, (text) => text);
  }

  /** Each item is an object; a plain text is taken for the one thing that it must say. */
  items<Item>(name: string, ofText: (text: string) => Item, ofObject?: (item: GivenObject) => Item): Item[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) return this.complain(name, "must be a list", []);
    if (value.length > maxItems) return this.complain(name, `must have at most ${maxItems} items`, []);
    return value.flatMap((item, index) => {
      const place = `${name}[${index}]`;
      if (typeof item === "string") return [ofText(item)];
      if (isObject(item) && ofObject) {
        return [ofObject(new GivenObject(item, `${this.#at}${place}.`, this.#problems))];
      }
      return this.complain(place, ofObject ? "must be a text or an object" : "must be a text", []);
    });
  }

  complain<Value>(name: string, message: string, instead: Value): Value {
    this.#problems.push({ at: `${this.#at}${name}`, message });
    return instead;
  }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
