import type { Violation } from "@baton/contract/forms";
import { isPair, isScalar, type Scalar, type YAMLMap } from "yaml";
import type { Places } from "./places.ts";
import { contextLevels, priorities, risks } from "./task-options.ts";

/** Fields whose values have a short word, the same as after the option. */
const words = [
  { field: "risk_tier", names: Object.keys(risks), prefix: "RISK_TIER_" },
  { field: "priority", names: Object.keys(priorities), prefix: "PRIORITY_" },
  { field: "context_level", names: Object.keys(contextLevels), prefix: "CONTEXT_LEVEL_" },
] as const;

/** A task is run in one of these ways. */
const plans = ["template_id", "task_type", "pipeline"];

/**
 * Lets a file say `low` where the contract says `RISK_TIER_LOW`, and finds what the contract would refuse in words that
 * are for programmers. Changes the map; returns every mistake that it sees.
 */
export function readPlainWords(task: YAMLMap, places: Places): readonly Violation[] {
  const mistakes: Violation[] = [];
  const given = plans.filter((name) => valueIn(task, name) !== undefined);
  if (given.length > 1) {
    const message = `${given.join(" and ")} say in more than one way how the task is run; keep one of them`;
    mistakes.push({ field: places(given[1] ?? ""), rule: "plan", message });
  }
  for (const { field, names, prefix } of words) {
    const value = valueIn(task, field);
    if (typeof value?.value !== "string" || value.value.startsWith(prefix)) continue;
    const name = value.value.toLowerCase();
    if (names.includes(name)) value.value = prefix + name.toUpperCase();
    else {
      const message = `${field} is one of ${names.join(", ")}, not "${value.value}"`;
      mistakes.push({ field: places(field), rule: "enum", message });
    }
  }
  return mistakes;
}

/** What a field of the file holds; undefined when it is left out or null. Of a map or a list only that it is there. */
function valueIn(task: YAMLMap, field: string): Partial<Scalar> | undefined {
  const camelCase = field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  for (const pair of task.items) {
    if (!isPair(pair) || !isScalar(pair.key)) continue;
    if (pair.key.value !== field && pair.key.value !== camelCase) continue;
    if (!isScalar(pair.value)) return {};
    return pair.value.value === null ? undefined : pair.value;
  }
  return undefined;
}
