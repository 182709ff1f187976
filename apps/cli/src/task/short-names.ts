import type { Violation } from "@baton/contract/forms";
import { isMap, isPair, isScalar, isSeq, type Scalar, YAMLMap } from "yaml";
import type { Positions } from "./positions.ts";
import { contextLevels, priorities, risks } from "./task-options.ts";

/** Enum fields whose values may be written as in the options. */
const enumFields = [
  { field: "risk_tier", names: Object.keys(risks), prefix: "RISK_TIER_" },
  { field: "priority", names: Object.keys(priorities), prefix: "PRIORITY_" },
  { field: "context_level", names: Object.keys(contextLevels), prefix: "CONTEXT_LEVEL_" },
] as const;

const typeOfReference = {
  field: "ref_type",
  names: ["file", "commit", "db_record", "url", "artifact"],
  prefix: "REF_TYPE_",
} as const;

/** Exactly one of these says how a task is run. */
const plans = ["template_id", "task_type", "pipeline"];

/**
 * Expands short enum values, such as `low` to `RISK_TIER_LOW`, in place, and returns the invalid ones with an error that is
 * clearer than the contract's.
 */
export function expandShortNames(task: YAMLMap, positions: Positions): readonly Violation[] {
  const mistakes: Violation[] = [];
  const given = plans.filter((name) => valueIn(task, name) !== undefined);
  if (given.length > 1) {
    const message = `${given.join(" and ")} say in more than one way how the task is run; keep one of them`;
    mistakes.push({ field: positions(given[1] ?? ""), rule: "plan", message });
  }
  for (const field of enumFields) mistakes.push(...expandField(task, field, positions(field.field)));
  for (const [index, reference] of referencesIn(task).entries()) {
    const position = positions(`refs[${index}].${typeOfReference.field}`);
    mistakes.push(...expandField(reference, typeOfReference, position));
  }
  return mistakes;
}

interface EnumField {
  readonly field: string;
  readonly names: readonly string[];
  readonly prefix: string;
}

function expandField(
  map: YAMLMap,
  { field, names, prefix }: EnumField,
  position: string,
): readonly Violation[] {
  const value = valueIn(map, field);
  if (typeof value?.value !== "string" || value.value.startsWith(prefix)) return [];
  const name = value.value.toLowerCase();
  if (!names.includes(name)) {
    const message = `${field} is one of ${names.join(", ")}, not "${value.value}"`;
    return [{ field: position, rule: "enum", message }];
  }
  value.value = prefix + name.toUpperCase();
  return [];
}

function referencesIn(task: YAMLMap): readonly YAMLMap[] {
  const references = task.get("refs");
  return isSeq(references) ? references.items.map((item) => (isMap(item) ? item : new YAMLMap())) : [];
}

/** The value of a field; undefined when it is missing or null. For a map or a list an empty object. */
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
