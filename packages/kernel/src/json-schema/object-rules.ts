import { below, type Check, type Place, within } from "./check.ts";
import { isMap, type JsonMap } from "./json.ts";
import { stepCosts } from "./limits.ts";
import type { Prepare } from "./rules.ts";
import { quote } from "./violation.ts";

const count =
  (rule: string, fits: (count: number, limit: number) => boolean, words: string): Prepare =>
  (limit) =>
    typeof limit === "number"
      ? (check, value, at) => {
          if (!isMap(value)) return;
          const { length } = namesOf(check, value);
          if (!fits(length, limit)) check.report(at, rule, `must have ${words} ${limit} properties`, value);
        }
      : undefined;

export const objects: Readonly<Record<string, Prepare>> = {
  required: (names) =>
    Array.isArray(names)
      ? (check, value, at) => {
          if (isMap(value)) demand(check, value, names, at, "required", () => "is required");
        }
      : undefined,
  dependentRequired: (argument) =>
    isMap(argument)
      ? (check, value, at) => {
          if (!isMap(value)) return;
          for (const [name, names] of Object.entries(argument)) {
            check.step(stepCosts.lookup);
            if (!Object.hasOwn(value, name) || !Array.isArray(names)) continue;
            demand(check, value, names, at, "dependentRequired", () => `is required beside ${quote(name)}`);
          }
        }
      : undefined,
  minProperties: count("minProperties", (names, limit) => names >= limit, "at least"),
  maxProperties: count("maxProperties", (names, limit) => names <= limit, "at most"),
  properties: (properties, { patternProperties, additionalProperties }) => {
    const named = isMap(properties) ? properties : {};
    const patterns = Object.entries(isMap(patternProperties) ? patternProperties : {});
    if (!isMap(properties) && patterns.length === 0 && additionalProperties === undefined) return undefined;
    return (check, value, at) => {
      if (!isMap(value)) return;
      for (const name of namesOf(check, value)) {
        let isKnown = Object.hasOwn(named, name);
        if (isKnown) applyTo(check, named[name], value, name, at, "properties");
        for (const [pattern, rule] of patterns)
          if (check.matches(pattern, name)) {
            isKnown = true;
            applyTo(check, rule, value, name, at, "patternProperties");
          }
        const isOther = !isKnown && additionalProperties !== undefined;
        if (isOther) applyTo(check, additionalProperties, value, name, at, "additionalProperties");
        if (isKnown || isOther) at.seen?.names.add(name);
        if (check.hasFailed) return;
      }
    };
  },
  propertyNames: (rule) =>
    rule === undefined
      ? undefined
      : (check, value, at) => {
          if (!isMap(value)) return;
          for (const name of namesOf(check, value))
            if (!check.holds(rule, name, below(at)))
              check.report(at, "propertyNames", () => `must not have the name ${quote(name)}`, value);
        },
};

function namesOf(check: Check, value: JsonMap): readonly string[] {
  const names = Object.keys(value);
  check.step(stepCosts.lookup * names.length);
  return names;
}

function demand(
  check: Check,
  value: JsonMap,
  names: readonly unknown[],
  at: Place,
  rule: string,
  message: () => string,
): void {
  check.step(stepCosts.lookup * names.length);
  for (const name of names)
    if (typeof name === "string" && !Object.hasOwn(value, name))
      check.report(within(at, name), rule, message, undefined);
}

/** A member that is not allowed at all breaks the rule that says so. */
export function applyTo(
  check: Check,
  rule: unknown,
  value: JsonMap,
  name: string,
  at: Place,
  keyword: string,
): void {
  if (rule === false) check.report(within(at, name), keyword, "is not allowed", value[name]);
  else check.apply(rule, value[name], within(at, name));
}
