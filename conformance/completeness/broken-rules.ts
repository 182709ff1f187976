/** Which rules of the contract the invalid vectors break. */
import type { DescField } from "@bufbuild/protobuf";
import { parsePath, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Broken } from "../cases/case.ts";
import type { Vector } from "../vectors.ts";
import { type ContractRule, placeOf, rulesOf } from "./contract-rules.ts";
import type { Visited } from "./walk.ts";

/** Names a rule in reports, such as `Contract.title string.min_len`. */
export function nameRule({ on, rule }: ContractRule): string {
  return `${on} ${rule}`;
}

/** The rule of the contract that a violation speaks of. */
export function brokenRule(
  { schema }: Vector,
  { field: path, rule }: Broken,
  visited: readonly Visited[],
): string {
  const place = path === "" ? undefined : parsePath(schema, path).at(-1);
  if (place?.kind === "oneof") return nameRule({ on: placeOf(place), rule });
  if (place?.kind !== "field") return nameRule({ on: visited[0]?.message.desc.name ?? "", rule });

  const carriesIt = rulesOf(place).some((each) => each.rule === rule);
  if (carriesIt) return nameRule({ on: placeOf(place), rule });
  if (rule.endsWith(".gte_lte"))
    return nameRule({ on: placeOf(place), rule: brokenBound(place, path, rule, visited) });
  if (rule.endsWith("_empty")) return nameRule({ on: placeOf(place), rule: rule.slice(0, -"_empty".length) });
  // A rule of the message that the field holds, not of the field.
  return nameRule({ on: place.message?.name ?? "", rule });
}

/** A range is one violation but two rules: the value decides which of them it breaks. */
function brokenBound(field: DescField, path: string, rule: string, visited: readonly Visited[]): string {
  const type = rule.slice(0, rule.indexOf("."));
  const owner = path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : "";
  const message: ReflectMessage | undefined = visited.find((each) => each.path === owner)?.message;
  const value = Number(message?.get(field));
  const atMost =
    rulesOf(field).find((each) => each.rule === `${type}.lte`)?.bound ?? Number.POSITIVE_INFINITY;
  return value > atMost ? `${type}.lte` : `${type}.gte`;
}
