import { below, type Check, type Place, type Rule } from "./check.ts";
import { isMap } from "./json.ts";
import { stepCosts } from "./limits.ts";
import type { Prepare } from "./rules.ts";

/** Keywords that apply further schemas to the same value. */
export const combined: Readonly<Record<string, Prepare>> = {
  dependentSchemas: (argument) =>
    isMap(argument)
      ? (check, value, at) => {
          if (!isMap(value)) return;
          for (const [name, rule] of Object.entries(argument)) {
            check.step(stepCosts.lookup);
            if (Object.hasOwn(value, name)) check.apply(rule, value, below(at));
          }
        }
      : undefined,
  $ref: (argument) =>
    typeof argument === "string"
      ? (check, value, at) => check.apply(check.resolve(argument), value, below(at))
      : undefined,
  allOf: (argument) =>
    Array.isArray(argument)
      ? (check, value, at) => {
          for (const one of argument) {
            check.apply(one, value, below(at));
            if (check.hasFailed) return;
          }
        }
      : undefined,
  anyOf: (argument) =>
    alternatives(argument, "anyOf", "must satisfy one of the alternatives", (fitting) => fitting > 0),
  oneOf: (argument) =>
    alternatives(
      argument,
      "oneOf",
      "must satisfy exactly one of the alternatives",
      (fitting) => fitting === 1,
    ),
  not: (argument) =>
    argument === undefined
      ? undefined
      : (check, value, at) => {
          if (check.holds(argument, value, { ...at, seen: undefined }))
            check.report(at, "not", "must not satisfy the excluded schema", value);
        },
  if: (argument, schema) =>
    argument === undefined
      ? undefined
      : (check, value, at) => {
          const branch = check.holds(argument, value, at) ? schema.then : schema.else;
          if (branch !== undefined) check.apply(branch, value, below(at));
        },
};

/** All alternatives are tried, because each may evaluate other parts of the value. */
function alternatives(
  argument: unknown,
  rule: string,
  message: string,
  enough: (fitting: number) => boolean,
): Rule | undefined {
  if (!Array.isArray(argument)) return undefined;
  return (check: Check, value: unknown, at: Place) => {
    let fitting = 0;
    for (const one of argument) if (check.holds(one, value, at)) fitting++;
    if (!enough(fitting)) check.report(at, rule, message, value);
  };
}
