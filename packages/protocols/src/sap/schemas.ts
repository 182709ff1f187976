/** The JSON Schemas (2020-12) of the objects, generated from the Zod schemas, which nothing repeats by hand. */
import { z } from "zod";
import { AckSchema, NackSchema, ViolationSchema } from "./acknowledgement.ts";
import { CacheRecordSchema } from "./cache-record.ts";
import { ConstitutionalEvidenceSchema, ResultSchema, SapErrorSchema } from "./result.ts";
import { TaskSchema } from "./task.ts";
import { TranscriptSchema } from "./transcript.ts";

type JsonSchema = { readonly [keyword: string]: unknown };

const published = {
  Task: TaskSchema,
  Result: ResultSchema,
  Ack: AckSchema,
  Nack: NackSchema,
  ConstitutionalEvidence: ConstitutionalEvidenceSchema,
  CacheRecord: CacheRecordSchema,
  Error: SapErrorSchema,
  Violation: ViolationSchema,
  Transcript: TranscriptSchema,
} as const;

const note =
  "Generated from packages/protocols/src/sap by `npm run generate`; not edited by hand. Properties that are not listed are " +
  "allowed and kept. A schema cannot hold everything that the hub checks: dates have to exist, and a deadline is after issuedAt.";

/** Each object on its own, with what it refers to in `$defs`. */
export function sapSchemas(): ReadonlyMap<string, JsonSchema> {
  return new Map(
    Object.entries(published).map(([name, schema]) => {
      const { $schema, $defs } = convert(schema);
      const { [name]: own, ...others } = $defs as Record<string, JsonSchema>;
      const $id = `sap.v2.${name}.schema.json`;
      const more = Object.keys(others).length > 0 && { $defs: others };
      return [name, { $schema, $id, $comment: note, title: name, ...own, ...more }];
    }),
  );
}

/** All of them for OpenAPI, which has its own place for what they refer to. */
export function sapComponents(): JsonSchema {
  const found: Record<string, unknown> = {};
  for (const schema of Object.values(published)) Object.assign(found, convert(schema).$defs);
  return JSON.parse(JSON.stringify(found).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}

function convert(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { target: "draft-2020-12", io: "input" }) as JsonSchema;
}
