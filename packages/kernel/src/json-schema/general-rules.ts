import { isMap } from "./json.ts";
import { stepCosts } from "./limits.ts";
import type { Prepare } from "./rules.ts";

/** Keywords for values of any type. */
export const general: Readonly<Record<string, Prepare>> = {
  type: (argument) => {
    if (argument === undefined) return undefined;
    const types: readonly unknown[] = Array.isArray(argument) ? argument : [argument];
    return (check, value, at) => {
      check.step(types.length);
      if (!types.some((one) => isOfType(value, one)))
        check.report(at, "type", () => `must be of type ${types.join(" or ")}`, value);
    };
  },
  enum: (argument) =>
    Array.isArray(argument)
      ? (check, value, at) => {
          check.step(argument.length / stepCosts.charsPerStep);
          if (!argument.some((one) => check.same(one, value)))
            check.report(at, "enum", () => `must be one of ${check.quoted(argument)}`, value);
        }
      : undefined,
  const: (argument) =>
    argument === undefined
      ? undefined
      : (check, value, at) => {
          if (!check.same(argument, value))
            check.report(at, "const", () => `must be ${check.quoted(argument)}`, value);
        },
};

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
