import { type DescField, type DescMessage, type DescOneof, ScalarType } from "@bufbuild/protobuf";
import type { FieldRules, PolicyPosition, Single, Step, Steps } from "./field-rules.ts";
import { jsonContentName } from "./json-text.ts";

export const struct = "google.protobuf.Struct";
/** Bytes of another message, which cannot be redacted. */
export const any = "google.protobuf.Any";

/** Computes the steps of a message type at a position once. */
export function planSteps(rules: FieldRules, position: PolicyPosition, schema: DescMessage): Steps {
  const enter = (field: DescField): Single => ({
    group: undefined,
    field,
    below: below(rules, position, field),
    harmless: undefined,
  });
  const all = schema.members.map((member) =>
    member.kind === "oneof" ? choice(member, enter) : enter(member),
  );
  const lean = all.filter((step) =>
    singlesOf(step).some((single) => mayNeedRedaction(rules, single, new Map())),
  );
  const steps = { all, lean };
  position.steps.set(schema, steps);
  return steps;
}

function choice({ localName, fields }: DescOneof, enter: (field: DescField) => Single): Step {
  return { group: localName, arms: new Map(fields.map((field) => [field.localName, enter(field)])) };
}

function singlesOf(step: Step): readonly Single[] {
  return step.group === undefined ? [step] : [...step.arms.values()];
}

function below(rules: FieldRules, position: PolicyPosition, field: DescField): PolicyPosition {
  return rules.enter(position, jsonContentName(field) ?? field.name, field.message?.name);
}

/**
 * Whether the field or anything below it may have text or a rule. Numbers, flags, enums and bytes have no text. Recursive
 * messages are visited once.
 */
function mayNeedRedaction(
  rules: FieldRules,
  { field, below: at }: Pick<Single, "field" | "below">,
  seen: Map<DescMessage, Set<PolicyPosition>>,
): boolean {
  const { message, fieldKind, scalar } = field;
  if (at.rule !== undefined || fieldKind === "map" || scalar === ScalarType.STRING) return true;
  if (!message) return false;
  if (message.typeName === struct || message.typeName === any) return true;
  const positions = seen.get(message) ?? new Set();
  if (positions.has(at)) return false;
  seen.set(message, positions.add(at));
  return message.fields.some((inner) =>
    mayNeedRedaction(rules, { field: inner, below: below(rules, at, inner) }, seen),
  );
}
