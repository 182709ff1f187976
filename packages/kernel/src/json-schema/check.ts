import { isMap, resolvePointer } from "./json.ts";
import { schemaLimits, stepCosts } from "./limits.ts";
import { compilePattern, type Pattern, patternParts, refusePattern } from "./pattern.ts";
import { describeValue, quote, type SchemaViolation } from "./violation.ts";

/** One keyword of one schema, prepared when the schema is first applied. */
export type Rule = (check: Check, value: unknown, at: Place) => void;

/** Where a schema is applied. */
export interface Place {
  /** The step that leads here, a name or a position; its path is written when it is reported. */
  readonly step: string | number;
  readonly parent: Place | undefined;
  readonly depth: number;
  /** What has been evaluated there; absent where no `unevaluated` keyword asks. */
  readonly seen: Evaluated | undefined;
}

/** The parts of a value that a schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  readonly names = new Set<string>();
  /** The first items. */
  items = 0;
  /** Items after those. */
  readonly others = new Set<number>();

  add({ names, items, others }: Evaluated): void {
    for (const name of names) this.names.add(name);
    for (const at of others) this.others.add(at);
    this.items = Math.max(this.items, items);
  }
}

/** Ends a check: too many steps, or as many violations as are reported. */
class Ended extends Error {}

/** One check of one value: steps, violations, and the rules of each schema that was applied. */
export class Check {
  readonly found: SchemaViolation[] = [];
  steps = 0;
  readonly #root: unknown;
  readonly #rulesOf: (schema: object) => readonly Rule[];
  readonly #rules = new Map<object, readonly Rule[]>();
  readonly #targets = new Map<string, unknown>();
  /** Parts of the schema and of the value as they are reported, each written once. */
  readonly #quoted = new Map<unknown, string>();
  readonly #described = new Map<object, string>();
  readonly #patterns = new Map<string, Pattern | undefined>();
  /** Alternatives are tried without reporting, up to the first violation. */
  #isTrying = false;
  #hasFailed = false;

  constructor(root: unknown, rulesOf: (schema: object) => readonly Rule[]) {
    this.#root = root;
    this.#rulesOf = rulesOf;
  }

  /** False when the value takes too many steps. */
  run(value: unknown): boolean {
    try {
      this.apply(this.#root, value, { step: "", parent: undefined, depth: 0, seen: undefined });
      return true;
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      return this.found.length >= schemaLimits.violations;
    }
  }

  apply(schema: unknown, value: unknown, at: Place): void {
    this.step(stepCosts.schema);
    if (schema === false) return this.report(at, "false", "is not allowed", value);
    if (!isMap(schema)) return;
    if (at.depth > schemaLimits.applied) throw this.#end(false);
    for (const rule of this.#prepare(schema)) {
      this.step(stepCosts.keyword);
      rule(this, value, at);
      if (this.#hasFailed) return;
    }
  }

  #prepare(schema: object): readonly Rule[] {
    const known = this.#rules.get(schema);
    if (known) return known;
    const rules = this.#rulesOf(schema);
    this.step(20 * stepCosts.lookup);
    this.#rules.set(schema, rules);
    return rules;
  }

  /** Whether a value satisfies a schema, without reporting. */
  holds(schema: unknown, value: unknown, at: Place): boolean {
    const before = this.#isTrying;
    this.#isTrying = true;
    const seen = at.seen && new Evaluated();
    this.apply(schema, value, { step: "", parent: undefined, depth: at.depth + 1, seen });
    const holds = !this.#hasFailed;
    this.#hasFailed = false;
    this.#isTrying = before;
    if (holds && seen) this.merge(at.seen, seen);
    return holds;
  }

  /** Adds what a part of a schema has evaluated to what the whole has. */
  merge(into: Evaluated | undefined, seen: Evaluated): void {
    this.step(stepCosts.compound + 2 * stepCosts.lookup * (seen.names.size + seen.others.size));
    into?.add(seen);
  }

  /** An alternative has failed: what is left of it does not matter. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  report(at: Place, rule: string, message: string | (() => string), value: unknown): void {
    if (this.#isTrying) {
      this.#hasFailed = true;
      return;
    }
    this.step(stepCosts.violation);
    const text = typeof message === "string" ? message : message();
    this.found.push({ path: pathOf(at), rule, message: text, value: this.#describe(value) });
    if (this.found.length >= schemaLimits.violations) throw this.#end(true);
  }

  /** A part of the schema, as JSON. */
  quoted(part: unknown): string {
    const known = this.#quoted.get(part);
    if (known !== undefined) return known;
    const text = quote(part);
    this.#quoted.set(part, text);
    return text;
  }

  /** The names of an object are counted: a value that breaks a hundred rules is not listed a hundred times. */
  #describe(value: unknown): string {
    if (!isMap(value)) return describeValue(value);
    const known = this.#described.get(value);
    if (known !== undefined) return known;
    const text = describeValue(value);
    this.#described.set(value, text);
    return text;
  }

  resolve(reference: string): unknown {
    this.step(stepCosts.lookup);
    if (!this.#targets.has(reference)) {
      this.step(reference.length);
      this.#targets.set(reference, resolvePointer(this.#root, reference));
    }
    return this.#targets.get(reference);
  }

  /** A pattern of an older schema that RE2 does not accept is not enforced. */
  matches(source: string, text: string): boolean {
    let pattern = this.#patterns.get(source);
    if (!this.#patterns.has(source)) {
      this.step(stepCosts.patternPart * patternParts(source));
      pattern = refusePattern(source) === undefined ? compilePattern(source) : undefined;
      this.#patterns.set(source, pattern);
    }
    return pattern?.test(text, this.step) ?? true;
  }

  /** Whether two values are equal, whatever the order of their names. */
  same(a: unknown, b: unknown): boolean {
    this.step(stepCosts.lookup);
    if (typeof a === "string" && typeof b === "string") {
      if (a.length !== b.length) return false;
      this.step(a.length / stepCosts.charsPerStep);
      return a === b;
    }
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const names = Object.keys(a);
    this.step(stepCosts.compound + stepCosts.lookup * names.length);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && this.same(Reflect.get(a, name), Reflect.get(b, name)))
    );
  }

  readonly step = (count: number): void => {
    this.steps += count;
    if (this.steps > schemaLimits.steps) throw this.#end(false);
  };

  #end(isFull: boolean): Ended {
    if (!isFull) this.found.length = 0;
    return new Ended();
  }
}

/** The place of a member or an item. */
export function within(parent: Place, step: string | number): Place {
  return { step, parent, depth: parent.depth + 1, seen: undefined };
}

/** The same place, for another schema. */
export function below({ step, parent, depth, seen }: Place): Place {
  return { step, parent, depth: depth + 1, seen };
}

function pathOf(place: Place): string {
  const steps: string[] = [];
  for (let at = place; at.parent !== undefined; at = at.parent)
    steps.push(typeof at.step === "number" ? `[${at.step}]` : `.${quote(at.step, true)}`);
  return steps.reverse().join("");
}
