/** What the tests of the JSON Schemas share: the generated files, and a validator that is as strict as can be. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

export const schemaFolder = resolve(import.meta.dirname, "../../../packages/contract/schemas");

export function readSchema(message: string): object {
  return JSON.parse(readFileSync(resolve(schemaFolder, `${message}.schema.json`), "utf8")) as object;
}

/** Holds every schema; each is compiled when it is first asked for. */
export function ajvForContract(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  formats.default(ajv);
  ajv.addKeyword("x-cel");
  for (const file of globSync("*.schema.json", { cwd: schemaFolder })) {
    ajv.addSchema(readSchema(file.replace(".schema.json", "")));
  }
  return ajv;
}
