import { type CelResult, celEnv } from "@bufbuild/cel";
import { patternPrice } from "../graph/cel/pattern.ts";
import { schemaLimits } from "./check-schema.ts";

/** A rule that a value breaks. */
interface SchemaViolation {
  /** Such as `.items[3].name`; empty for the whole value. */
  readonly path: string;
  /** The keyword of JSON Schema. */
  readonly rule: string;
  readonly message: string;
}

/**
 * Checks a value against a JSON Schema (2020-12) that `checkSchema` accepts, and reports every violation up to a limit.
 * The work is bounded: a value that takes too many steps is refused. Messages quote the schema, and of the value only names,
 * shortened.
 */
export function validateValue(schema: unknown, value: unknown): readonly SchemaViolation[] {
  const check = new Check(schema);
  try {
    check.apply(schema, value, "", 0);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    const message = `takes more than ${schemaLimits.steps} steps to check`;
    return [{ path: "", rule: "limit", message }];
  }
  return check.found.slice(0, schemaLimits.violations);
}

const re2 = celEnv().funcs.find("matches");

class TooMuch extends Error {}

type JsonMap = Readonly<Record<string, unknown>>;

/** What a schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
interface Evaluated {
  readonly names: Set<string>;
  items: number;
}

class Check {
  readonly found: SchemaViolation[] = [];
  readonly #root: unknown;
  #steps = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  apply(schema: unknown, value: unknown, path: string, depth: number): Evaluated {
    this.#step(1);
    const seen: Evaluated = { names: new Set(), items: 0 };
    if (schema === false) this.#report(path, "false", "is not allowed");
    if (!isMap(schema)) return seen;
    if (depth > schemaLimits.applied) throw new TooMuch();
    this.#general(schema, value, path);
    if (typeof value === "string") this.#text(schema, value, path);
    if (typeof value === "number") this.#number(schema, value, path);
    if (Array.isArray(value)) this.#list(schema, value, path, depth, seen);
    if (isMap(value)) this.#map(schema, value, path, depth, seen);
    this.#combined(schema, value, path, depth, seen);
    if (Array.isArray(value) && "unevaluatedItems" in schema)
      for (let at = seen.items; at < value.length; at++)
        this.apply(schema.unevaluatedItems, value[at], `${path}[${at}]`, depth + 1);
    if (isMap(value) && "unevaluatedProperties" in schema)
      for (const name of Object.keys(value))
        if (!seen.names.has(name))
          this.#member(schema.unevaluatedProperties, value, name, path, depth, "unevaluatedProperties");
    return seen;
  }

  #general(schema: JsonMap, value: unknown, path: string): void {
    const { type, enum: listed } = schema;
    if (type !== undefined) {
      const types = Array.isArray(type) ? type : [type];
      if (!types.some((one) => isOfType(value, one)))
        this.#report(path, "type", `must be of type ${types.join(" or ")}`);
    }
    if (Array.isArray(listed) && !listed.some((one) => this.#same(one, value)))
      this.#report(path, "enum", `must be one of ${brief(listed)}`);
    if ("const" in schema && !this.#same(schema.const, value))
      this.#report(path, "const", `must be ${brief(schema.const)}`);
  }

  #text({ minLength, maxLength, pattern }: JsonMap, value: string, path: string): void {
    this.#step(value.length / 64);
    if (typeof minLength === "number" || typeof maxLength === "number") {
      const length = [...value].length;
      if (typeof minLength === "number" && length < minLength)
        this.#report(path, "minLength", `must have at least ${minLength} characters`);
      if (typeof maxLength === "number" && length > maxLength)
        this.#report(path, "maxLength", `must have at most ${maxLength} characters`);
    }
    if (typeof pattern === "string" && !this.#matches(pattern, value))
      this.#report(path, "pattern", `must match ${brief(pattern)}`);
  }

  #number(schema: JsonMap, value: number, path: string): void {
    const rules = [
      ["minimum", (limit: number) => value >= limit, "at least"],
      ["maximum", (limit: number) => value <= limit, "at most"],
      ["exclusiveMinimum", (limit: number) => value > limit, "more than"],
      ["exclusiveMaximum", (limit: number) => value < limit, "less than"],
      ["multipleOf", (limit: number) => isMultiple(value, limit), "a multiple of"],
    ] as const;
    for (const [rule, holds, words] of rules) {
      const limit = schema[rule];
      if (typeof limit === "number" && !holds(limit)) this.#report(path, rule, `must be ${words} ${limit}`);
    }
  }

  #list(schema: JsonMap, value: readonly unknown[], path: string, depth: number, seen: Evaluated): void {
    const { minItems, maxItems, uniqueItems, prefixItems, items, contains } = schema;
    if (typeof minItems === "number" && value.length < minItems)
      this.#report(path, "minItems", `must have at least ${minItems} items`);
    if (typeof maxItems === "number" && value.length > maxItems)
      this.#report(path, "maxItems", `must have at most ${maxItems} items`);
    if (uniqueItems === true) this.#unique(value, path);
    const first = Array.isArray(prefixItems) ? prefixItems : [];
    for (const [at, item] of value.entries()) {
      const rule = at < first.length ? first[at] : items;
      if (rule !== undefined) this.apply(rule, item, `${path}[${at}]`, depth + 1);
    }
    seen.items = items === undefined ? Math.min(first.length, value.length) : value.length;
    if (contains !== undefined) this.#contains(schema, value, path, depth);
  }

  #contains(schema: JsonMap, value: readonly unknown[], path: string, depth: number): void {
    const { contains, minContains = 1, maxContains } = schema;
    const count = value.filter((item) => this.#holds(contains, item, depth)).length;
    if (count < Number(minContains))
      this.#report(path, "contains", `must contain at least ${minContains} items of the described kind`);
    if (typeof maxContains === "number" && count > maxContains)
      this.#report(path, "maxContains", `must contain at most ${maxContains} items of the described kind`);
  }

  #unique(value: readonly unknown[], path: string): void {
    const known = new Set<string>();
    for (const [at, item] of value.entries()) {
      const text = this.#canonical(item);
      if (known.has(text)) this.#report(`${path}[${at}]`, "uniqueItems", "must not repeat an earlier item");
      known.add(text);
    }
  }

  #map(schema: JsonMap, value: JsonMap, path: string, depth: number, seen: Evaluated): void {
    const names = Object.keys(value);
    this.#step(names.length);
    this.#counted(schema, value, names, path);
    const { properties, patternProperties, additionalProperties, propertyNames, dependentSchemas } = schema;
    for (const name of names) {
      const rules = [
        ...(isMap(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []),
        ...Object.entries(isMap(patternProperties) ? patternProperties : {}).flatMap(([pattern, rule]) =>
          this.#matches(pattern, name) ? [rule] : [],
        ),
      ];
      for (const rule of rules) this.#member(rule, value, name, path, depth, "properties");
      const isOther = rules.length === 0 && additionalProperties !== undefined;
      if (isOther) this.#member(additionalProperties, value, name, path, depth, "additionalProperties");
      if (rules.length > 0 || isOther) seen.names.add(name);
      if (propertyNames !== undefined && !this.#holds(propertyNames, name, depth))
        this.#report(path, "propertyNames", `must not have the name ${brief(name)}`);
      if (isMap(dependentSchemas) && Object.hasOwn(dependentSchemas, name))
        this.#join(dependentSchemas[name], value, path, depth, seen);
    }
  }

  #counted(schema: JsonMap, value: JsonMap, names: readonly string[], path: string): void {
    const { required, minProperties, maxProperties, dependentRequired } = schema;
    const demand = (wanted: unknown, rule: string, why: string) => {
      for (const name of Array.isArray(wanted) ? wanted : [])
        if (!Object.hasOwn(value, name)) this.#report(`${path}.${brief(name, false)}`, rule, why);
    };
    demand(required, "required", "is required");
    for (const [name, wanted] of Object.entries(isMap(dependentRequired) ? dependentRequired : {}))
      if (Object.hasOwn(value, name))
        demand(wanted, "dependentRequired", `is required beside ${brief(name)}`);
    if (typeof minProperties === "number" && names.length < minProperties)
      this.#report(path, "minProperties", `must have at least ${minProperties} properties`);
    if (typeof maxProperties === "number" && names.length > maxProperties)
      this.#report(path, "maxProperties", `must have at most ${maxProperties} properties`);
  }

  #member(rule: unknown, value: JsonMap, name: string, path: string, depth: number, keyword: string): void {
    const at = `${path}.${brief(name, false)}`;
    if (rule === false) this.#report(at, keyword, "is not allowed");
    else this.apply(rule, value[name], at, depth + 1);
  }

  #combined(schema: JsonMap, value: unknown, path: string, depth: number, seen: Evaluated): void {
    const { $ref, allOf, anyOf, oneOf, not } = schema;
    if (typeof $ref === "string") this.#join(this.#resolve($ref), value, path, depth, seen);
    for (const one of list(allOf)) this.#join(one, value, path, depth, seen);
    if (Array.isArray(anyOf)) {
      const fitting = anyOf.filter((one) => this.#holds(one, value, depth));
      for (const one of fitting) this.#join(one, value, path, depth, seen);
      if (fitting.length === 0) this.#report(path, "anyOf", "must satisfy one of the alternatives");
    }
    if (Array.isArray(oneOf)) {
      const fitting = oneOf.filter((one) => this.#holds(one, value, depth));
      for (const one of fitting) this.#join(one, value, path, depth, seen);
      if (fitting.length !== 1) this.#report(path, "oneOf", "must satisfy exactly one of the alternatives");
    }
    if (not !== undefined && this.#holds(not, value, depth))
      this.#report(path, "not", "must not satisfy the excluded schema");
    if (schema.if === undefined) return;
    const holds = this.#holds(schema.if, value, depth);
    if (holds) this.#join(schema.if, value, path, depth, seen);
    const branch = holds ? schema.then : schema.else;
    if (branch !== undefined) this.#join(branch, value, path, depth, seen);
  }

  /** Applies a schema to the same value, and merges what it has evaluated. */
  #join(schema: unknown, value: unknown, path: string, depth: number, seen: Evaluated): void {
    const { names, items } = this.apply(schema, value, path, depth + 1);
    for (const name of names) seen.names.add(name);
    seen.items = Math.max(seen.items, items);
  }

  /** Whether a value satisfies a schema, without reporting. */
  #holds(schema: unknown, value: unknown, depth: number): boolean {
    const before = this.found.length;
    this.apply(schema, value, "", depth + 1);
    const holds = this.found.length === before;
    this.found.length = before;
    return holds;
  }

  #resolve(reference: string): unknown {
    let here = this.#root;
    for (const part of reference.split("/").slice(1)) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (Array.isArray(here)) here = here[Number(name)];
      else here = isMap(here) && Object.hasOwn(here, name) ? here[name] : true;
    }
    return here;
  }

  /** By RE2, in linear time. A pattern of an older schema that RE2 does not accept is not enforced. */
  #matches(pattern: string, text: string): boolean {
    this.#step(patternPrice(pattern) / 10 + text.length / 16);
    const result: CelResult | undefined = re2?.call(0, text, [pattern]);
    return result !== false;
  }

  #same(a: unknown, b: unknown): boolean {
    if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) {
      this.#step(1);
      return a === b;
    }
    return this.#canonical(a) === this.#canonical(b);
  }

  /** Equal values have equal texts, whatever the order of their names. */
  #canonical(value: unknown): string {
    this.#step(typeof value === "string" ? 1 + value.length / 64 : 1);
    if (Array.isArray(value)) return `[${value.map((item) => this.#canonical(item)).join()}]`;
    if (!isMap(value)) return JSON.stringify(value) ?? "null";
    const members = Object.keys(value).toSorted();
    return `{${members.map((name) => `${JSON.stringify(name)}:${this.#canonical(value[name])}`).join()}}`;
  }

  #report(path: string, rule: string, message: string): void {
    this.#step(1);
    this.found.push({ path, rule, message });
  }

  #step(count: number): void {
    this.#steps += count;
    if (this.#steps > schemaLimits.steps) throw new TooMuch();
  }
}

function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isMap(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** 0.3 is a multiple of 0.1, although their quotient is not whole in floating point. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.abs(quotient);
}

const maxQuote = 100;

function brief(value: unknown, quoted = true): string {
  const text = quoted ? (JSON.stringify(value) ?? "") : String(value);
  return text.length <= maxQuote ? text : `${text.slice(0, maxQuote).toWellFormed()}…`;
}
