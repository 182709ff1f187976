/** Writes the JSON Schemas of the files people configure a hub with: `node scripts/generate/write-configuration-schemas.ts [output root]`. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ConfigurationKind, configurationSchema, configurationShapes } from "@baton/kernel";
import type { DescField } from "@bufbuild/protobuf";
import { inTree, root } from "../tree.ts";

/** The contract's comments are in its own schemas, which are made of the same proto files. */
function docOf(field: DescField): string | undefined {
  const path = inTree(`packages/contract/schemas/${field.parent.name}.schema.json`);
  const schema: unknown = JSON.parse(readFileSync(path, "utf8"));
  const { properties } = schema as { properties?: Record<string, { description?: string }> };
  return properties?.[field.jsonName]?.description;
}

const outputRoot = process.argv[2] ?? root;
const folder = join(outputRoot, "apps/server/schemas");
mkdirSync(folder, { recursive: true });
for (const kind of Object.keys(configurationShapes) as ConfigurationKind[]) {
  const text = JSON.stringify(configurationSchema(kind, docOf), undefined, 2);
  writeFileSync(join(folder, `${kind}.schema.json`), `${text}\n`);
}
