import { below, type Check, within } from "./check.ts";
import { isMap } from "./json.ts";
import { stepCosts } from "./limits.ts";
import type { Prepare } from "./rules.ts";

const count =
  (rule: string, fits: (count: number, limit: number) => boolean, words: string): Prepare =>
  (limit) =>
    typeof limit === "number"
      ? (check, value, at) => {
          if (Array.isArray(value) && !fits(value.length, limit))
            check.report(at, rule, `must have ${words} ${limit} items`, value);
        }
      : undefined;

export const lists: Readonly<Record<string, Prepare>> = {
  minItems: count("minItems", (items, limit) => items >= limit, "at least"),
  maxItems: count("maxItems", (items, limit) => items <= limit, "at most"),
  uniqueItems: (argument) =>
    argument === true
      ? (check, value, at) => {
          if (!Array.isArray(value)) return;
          const known = new Set<string>();
          for (const [index, item] of value.entries()) {
            const text = canonical(check, item);
            if (known.has(text))
              check.report(within(at, index), "uniqueItems", "must not repeat an earlier item", item);
            known.add(text);
          }
        }
      : undefined,
  items: (items, { prefixItems }) => {
    const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
    if (items === undefined && first.length === 0) return undefined;
    return (check, value, at) => {
      if (!Array.isArray(value)) return;
      for (const [index, item] of value.entries()) {
        const rule = index < first.length ? first[index] : items;
        if (rule === undefined) break;
        check.apply(rule, item, within(at, index));
        if (check.hasFailed) return;
      }
      const evaluated = items === undefined ? Math.min(first.length, value.length) : value.length;
      if (at.seen) at.seen.items = Math.max(at.seen.items, evaluated);
    };
  },
  contains: (contains, { minContains = 1, maxContains }) =>
    contains === undefined
      ? undefined
      : (check, value, at) => {
          if (!Array.isArray(value)) return;
          let found = 0;
          for (const [index, item] of value.entries()) {
            if (!check.holds(contains, item, below(at))) continue;
            found++;
            at.seen?.others.add(index);
          }
          const words = "items of the described kind";
          if (found < Number(minContains))
            check.report(at, "contains", `must contain at least ${minContains} ${words}`, value);
          if (typeof maxContains === "number" && found > maxContains)
            check.report(at, "maxContains", `must contain at most ${maxContains} ${words}`, value);
        },
};

/** Equal values have equal texts, whatever the order of their names. */
function canonical(check: Check, value: unknown): string {
  check.step(stepCosts.compound);
  if (typeof value === "string") check.step(value.length);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(check, item)).join()}]`;
  if (!isMap(value)) return JSON.stringify(value) ?? "null";
  const names = Object.keys(value).toSorted();
  const members = names.map((name) => {
    check.step(stepCosts.compound + name.length);
    return `${JSON.stringify(name)}:${canonical(check, value[name])}`;
  });
  return `{${members.join()}}`;
}
