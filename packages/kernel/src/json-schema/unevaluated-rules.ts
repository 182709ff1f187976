import { Evaluated, type Rule, within } from "./check.ts";
import { isMap, type JsonMap } from "./json.ts";
import { stepCosts } from "./limits.ts";
import { applyTo } from "./object-rules.ts";

/** Wraps the rules of a schema that says what the parts must be that they have not evaluated. */
export function unevaluated(schema: JsonMap, rules: readonly Rule[]): readonly Rule[] {
  const { unevaluatedProperties: others, unevaluatedItems: rest } = schema;
  if (others === undefined && rest === undefined) return rules;
  return [
    (check, value, at) => {
      const seen = new Evaluated();
      check.step(4 * stepCosts.compound);
      for (const rule of rules) {
        rule(check, value, { ...at, seen });
        if (check.hasFailed) return;
      }
      if (rest !== undefined && Array.isArray(value)) {
        for (let index = seen.items; index < value.length; index++)
          if (!seen.others.has(index)) check.apply(rest, value[index], within(at, index));
        seen.items = value.length;
      }
      if (others !== undefined && isMap(value))
        for (const name of Object.keys(value)) {
          if (!seen.names.has(name)) applyTo(check, others, value, name, at, "unevaluatedProperties");
          seen.names.add(name);
        }
      check.merge(at.seen, seen);
    },
  ];
}
