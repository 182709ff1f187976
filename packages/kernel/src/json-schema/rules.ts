import type { Rule } from "./check.ts";
import { combined } from "./combined-rules.ts";
import { general } from "./general-rules.ts";
import { isMap, type JsonMap } from "./json.ts";
import { lists } from "./list-rules.ts";
import { objects } from "./object-rules.ts";
import { numbers, texts } from "./scalar-rules.ts";
import { unevaluated } from "./unevaluated-rules.ts";

/** What a keyword means in a schema; undefined where the schema gives it no meaning. */
export type Prepare = (argument: unknown, schema: JsonMap) => Rule | undefined;

/** In the order in which violations are reported. `unevaluated` needs what the others have evaluated. */
const keywords: Readonly<Record<string, Prepare>> = {
  ...{ ...general, ...texts, ...numbers, ...lists, ...objects },
  ...combined,
};

/** The keywords that are applied, those that are read beside another included. */
export const appliedKeywords: ReadonlySet<string> = new Set([
  ...Object.keys(keywords),
  ...[
    "then",
    "else",
    "minContains",
    "maxContains",
    "prefixItems",
    "patternProperties",
    "additionalProperties",
  ],
  ...["unevaluatedProperties", "unevaluatedItems"],
]);

export function rulesOf(schema: object): readonly Rule[] {
  if (!isMap(schema)) return [];
  const rules: Rule[] = [];
  for (const [name, prepare] of Object.entries(keywords)) {
    const rule = prepare(schema[name], schema);
    if (rule) rules.push(rule);
  }
  return unevaluated(schema, rules);
}
