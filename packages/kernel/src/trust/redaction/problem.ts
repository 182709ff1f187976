/** Problems of a redaction policy or its known values, found when it is loaded. */
type RedactionProblemCode = keyof typeof fixes;

const fixes = {
  /** An unknown rule. */
  "BATON-REDACTION-001": "write the rule exactly as one of those in A §5.3",
  /** A path that cannot be read. */
  "BATON-REDACTION-002": 'write a path such as "**/*.token" or "evidence_item.output"',
  /** A length that cannot be kept. */
  "BATON-REDACTION-003": "give a whole number of at least 64 characters, or leave it out",
  /** A known value that cannot be masked. */
  "BATON-REDACTION-004":
    "give the secret another value, at least 8 characters long, that no ordinary text contains",
  /** A detector that cannot be used. */
  "BATON-REDACTION-006":
    "name its kind in lower case letters, digits and dashes, and give it anchors of 1 to 64 characters",
} as const;

export interface RedactionProblem {
  readonly code: RedactionProblemCode;
  /** The path in the policy: "conditional_redact[1].rule". */
  readonly at: string;
  readonly message: string;
  readonly fix: string;
}

export function redactionProblem(code: RedactionProblemCode, at: string, message: string): RedactionProblem {
  return { code, at, message, fix: fixes[code] };
}
