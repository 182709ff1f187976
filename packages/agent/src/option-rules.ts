/** Checks the value of an option for callers without types. Returns undefined when it is valid. */
export type Rule = (value: unknown) => Mistake | undefined;

export interface Mistake {
  /** Where below the option. */
  readonly below: string;
  readonly must: string;
}

export function optional(rule: Rule): Rule {
  return (value) => (value === undefined ? undefined : rule(value));
}

function unless(holds: boolean, must: string): Mistake | undefined {
  return holds ? undefined : { below: "", must };
}

export function text(value: unknown): Mistake | undefined {
  return unless(typeof value === "string" && value.trim() !== "", "must be a non-empty string");
}

export function anyText(value: unknown): Mistake | undefined {
  return unless(typeof value === "string", "must be a string");
}

export function flag(value: unknown): Mistake | undefined {
  return unless(typeof value === "boolean", "must be true or false");
}

export function task(value: unknown): Mistake | undefined {
  return unless(typeof value === "function", "must be a function that takes a task and returns its result");
}

export function callback(value: unknown): Mistake | undefined {
  return unless(typeof value === "function", "must be a function");
}

export function jsonObject(value: unknown): Mistake | undefined {
  return unless(isRecord(value), "must be an object");
}

/** Infinity is allowed. */
export function duration(value: unknown): Mistake | undefined {
  return unless(typeof value === "number" && value >= 0, "must be a number of milliseconds, zero or more");
}

export function wholeNumber(least: number, most: number): Rule {
  const must = `must be a whole number from ${least} to ${most}`;
  return (value) => unless(Number.isInteger(value) && Number(value) >= least && Number(value) <= most, must);
}

export function oneOf(names: readonly string[]): Rule {
  return (value) =>
    unless(
      names.some((name) => name === value),
      `must be one of ${names.join(", ")}`,
    );
}

export function listOf(rule: Rule): Rule {
  return (value) => {
    if (!Array.isArray(value)) return { below: "", must: "must be a list" };
    for (const [index, item] of value.entries()) {
      const mistake = rule(item);
      if (mistake) return { ...mistake, below: `[${index}]${mistake.below}` };
    }
    return undefined;
  };
}

export function nonEmpty(rule: Rule): Rule {
  return (value) => rule(value) ?? unless(Array.isArray(value) && value.length > 0, "must name at least one");
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
