import type { Problem } from "../problem.ts";
import { fieldPathPattern } from "../trust/redaction/field-path.ts";
import { minMaxLength } from "../trust/redaction/field-rules.ts";
import { type RedactionPolicy, redactionRules } from "../trust/redaction/policy.ts";
import { fields, list, optional, required } from "./lists-and-fields.ts";
import { Reading } from "./reading.ts";
import { choice, text, whole } from "./shape.ts";

type RedactionPolicyReading =
  | { readonly ok: true; readonly policy: RedactionPolicy }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Always enforced; a policy may state it, as that of A §5.3 does. */
const enforcement = [
  "Redaction filter runs BEFORE audit write — never store then redact",
  "Redaction filter runs BEFORE trace export",
  "Failed redaction → block write + alert (never silently pass through)",
];

const path = text({
  pattern: fieldPathPattern,
  must: "be a path of fields",
  fix: 'write it such as "**/*.token" or "evidence_item.output"',
});
const oneOf = (what: string, values: readonly string[]) =>
  choice(what, Object.fromEntries(values.map((value) => [value, value])), "");

const conditional = fields({
  field: required(path, "The field, by its message and name, such as evidence_item.output."),
  rule: required(oneOf("a rule of A §5.3", Object.values(redactionRules)), "What is done with it."),
  max_length: optional(
    whole(minMaxLength),
    "Longer values are cut, after they were redacted. Not cut if left out.",
  ),
});

const policyShape = fields({
  always_redact: optional(
    list(path, { most: 1_000 }),
    "Fields that are masked whatever they hold. `*` is any one step of a path, `**` any number.",
    [],
  ),
  conditional_redact: optional(
    list(conditional, { most: 1_000 }),
    "Fields that keep what is harmless in them.",
    [],
  ),
  enforcement: optional(
    list(oneOf("one of the statements of A §5.3", enforcement)),
    "Always in force; may be repeated here literally.",
    [],
  ),
});

/** `config/redaction-policy.yaml` as A §5.3 shows it. */
export const redactionPolicyShape = fields(
  { redaction_policy: required(policyShape, "What must not appear in records, traces and metrics.") },
  "Redaction policy",
);

/** Reads the content of the file. Detected secrets are masked in addition. */
export function readRedactionPolicy(content: unknown): RedactionPolicyReading {
  const file = new Reading(content);
  const { always_redact: alwaysRedact, conditional_redact: conditionalGiven } =
    redactionPolicyShape.read(file).redaction_policy;
  if (file.problems.length > 0) return { ok: false, problems: file.problems };
  const conditionalRedact = conditionalGiven.map(({ field, rule, max_length: maxLength }) => ({
    ...{ field, rule },
    ...(maxLength !== undefined && { maxLength }),
  }));
  return { ok: true, policy: { alwaysRedact, conditionalRedact } };
}
