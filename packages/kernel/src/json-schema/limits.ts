/** Limits of JSON Schemas and of checks against them: schemas come from files, tasks and agents, values from agents. */
export const schemaLimits = {
  /** Nested schemas. */
  depth: 64,
  /** The same during a check, where references lead back into the schema. */
  applied: 1_000,
  /** Objects and lists in a schema, those of `$defs` included. */
  nodes: 10_000,
  /** Characters of all its names and texts. */
  chars: 262_144,
  /** Schemas that apply to the same value one within the other, by references and alternatives. */
  inPlace: 128,
  /** Parts that a reference is followed through, each into the next. */
  chain: 2_000,
  /** Schemas after every reference is replaced by its target: what doubles at each level has billions. */
  expanded: 100_000,
  /** Characters of one pattern. RE2 runs it in time linear in the text. */
  patternChars: 512,
  /** Characters of all patterns, repetitions written out: `a{100}` counts a hundred times. */
  patternParts: 12_000,
  /** Faults of a schema that are reported. */
  faults: 100,
  /** Steps of one check. A million are 5 to 30 ms of a core, by what they are spent on (decision 0048). */
  steps: 1_000_000,
  /** Violations that are reported. */
  violations: 100,
} as const;

/** Steps of what a check does, in proportion to its time. */
export const stepCosts = {
  /** Applying a schema to a value. */
  schema: 6,
  /** Applying a keyword. */
  keyword: 2,
  /** A name that is looked up, a value that is compared. */
  lookup: 4,
  /** A list or an object that is compared, or brought into its canonical form. */
  compound: 24,
  /** Characters that are compared, counted or quoted for one step. */
  charsPerStep: 4,
  /** Compiling one character of a pattern, repetitions written out. */
  patternPart: 25,
  /** Testing a text against a pattern; each state that one of its characters is in. */
  patternTest: 16,
  patternState: 1,
  /** The same where letters match without their case. */
  foldedState: 30,
  /** A text against a format, beside its characters. */
  format: 40,
  /** Reporting a violation. */
  violation: 60,
} as const;
