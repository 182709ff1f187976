/** The redaction policy for audit entries, traces and metrics (A §5.3). */
export interface RedactionPolicy {
  // Fields that are always masked, by paths such as **/*.token: see field-path.ts.
  readonly alwaysRedact: readonly string[];
  readonly conditionalRedact: readonly ConditionalRedaction[];
}

interface ConditionalRedaction {
  readonly field: string;
  /** One of `redactionRules`. Any text until checked, because policies come from files. */
  readonly rule: string;
  /** Longer values are cut after redaction. */
  readonly maxLength?: number;
}

/** The rules of A §5.3, in its words. */
export const redactionRules = {
  stripLines: "strip lines matching secret/token/password patterns",
  redactPersonal: "redact PII patterns (email, phone, SSN)",
  stripInline: "strip inline credentials, keep decision reasoning",
  stripFromCode: "strip secrets from code snippets",
} as const;

export type RedactionRule = keyof typeof redactionRules;

export function findRule(text: string): RedactionRule | undefined {
  const rules = Object.keys(redactionRules) as RedactionRule[];
  return rules.find((rule) => redactionRules[rule] === text);
}

/** The policy printed in A §5.3. */
export const defaultRedactionPolicy: RedactionPolicy = {
  alwaysRedact: [
    "**/*.credentials",
    "**/*.token",
    "**/*.secret",
    "**/*.password",
    "**/*.api_key",
    "safety_context.auth_scopes",
  ],
  conditionalRedact: [
    { field: "evidence_item.output", rule: redactionRules.stripLines, maxLength: 65_536 },
    { field: "context_in.shared_context", rule: redactionRules.redactPersonal },
    { field: "audit_entry.rationale", rule: redactionRules.stripInline },
    { field: "snippet_ref.content", rule: redactionRules.stripFromCode },
  ],
};
