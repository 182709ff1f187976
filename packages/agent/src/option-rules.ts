/** What a field has to be, for those whom no compiler told; undefined when the value is fine. */
export type Rule = (value: unknown) => Wrong | undefined;

/** What is wrong, and where below the field. */
export interface Wrong {
  readonly below: string;
  readonly must: string;
}

export function optional(rule: Rule): Rule {
  return (value) => (value === undefined ? undefined : rule(value));
}

function unless(holds: boolean, must: string): Wrong | undefined {
  return holds ? undefined : { below: "", must };
}

export function text(value: unknown): Wrong | undefined {
  return unless(typeof value === "string" && value.trim() !== "", "must be a text that is not empty");
}

export function anyText(value: unknown): Wrong | undefined {
  return unless(typeof value === "string", "must be a text");
}

export function flag(value: unknown): Wrong | undefined {
  return unless(typeof value === "boolean", "must be true or false");
}

export function task(value: unknown): Wrong | undefined {
  return unless(typeof value === "function", "must be a function that takes a task and returns its answer");
}

export function callback(value: unknown): Wrong | undefined {
  return unless(typeof value === "function", "must be a function");
}

export function jsonObject(value: unknown): Wrong | undefined {
  return unless(isRecord(value), "must be an object");
}

/** For ever is a time too. */
export function duration(value: unknown): Wrong | undefined {
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
      const wrong = rule(item);
      if (wrong) return { ...wrong, below: `[${index}]${wrong.below}` };
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
