import { isMap } from "./json.ts";
import { stepCosts } from "./limits.ts";
import type { Prepare } from "./rules.ts";
import { quote } from "./violation.ts";

/** Keywords for values of any type. */
export const general: Readonly<Record<string, Prepare>> = {
  type: (said) => {
    if (said === undefined) return undefined;
    const types: readonly unknown[] = Array.isArray(said) ? said : [said];
    return (check, value, at) => {
      check.step(types.length);
      if (!types.some((one) => isOfType(value, one)))
        check.report(at, "type", () => `must be of type ${types.join(" or ")}`, value);
    };
  },
  enum: (said) =>
    Array.isArray(said)
      ? (check, value, at) => {
          check.step(said.length / stepCosts.charsPerStep);
          if (!said.some((one) => check.same(one, value)))
            check.report(at, "enum", () => `must be one of ${quote(said)}`, value);
        }
      : undefined,
  const: (said) =>
    said === undefined
      ? undefined
      : (check, value, at) => {
          if (!check.same(said, value)) check.report(at, "const", () => `must be ${quote(said)}`, value);
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
