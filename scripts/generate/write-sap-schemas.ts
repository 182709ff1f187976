/** Writes the JSON Schemas and the OpenAPI document of governed tasks: `node scripts/generate/write-sap-schemas.ts [output root]`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sapOpenApi, sapSchemas } from "@baton/protocols/sap";
import { root } from "../tree.ts";

const folder = join(process.argv[2] ?? root, "packages/protocols/schemas/sap");
mkdirSync(folder, { recursive: true });
for (const [name, schema] of sapSchemas()) write(`${name}.schema.json`, schema);
write("openapi.json", sapOpenApi());

function write(file: string, document: unknown): void {
  writeFileSync(join(folder, file), `${JSON.stringify(document, undefined, 2)}\n`);
}
