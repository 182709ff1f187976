/** Limits of JSON Schemas and of checks against them: schemas come from files and agents, values from agents. */
export const schemaLimits = {
  /** Nested schemas. */
  depth: 64,
  /** The same during a check, where references lead back into the schema. */
  applied: 256,
  /** Schemas in a schema, those of `$defs` included. */
  nodes: 10_000,
  /** Characters of one pattern. RE2 runs it in time linear in the text. */
  patternChars: 512,
  /** Steps of one check: a schema applied to a value, 64 characters of text, or a part of a pattern. */
  steps: 500_000,
  /** Violations that are reported. */
  violations: 100,
} as const;
