import {
  type AlignmentReport,
  AlignmentVerdict,
  type ConstitutionRule,
  ConstitutionRuleSchema,
  PolicyCheckStatus,
} from "@baton/contract";
import type { Constitution } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";

interface Counts {
  checked: number;
  fired: number;
  escalated: number;
  overruled: number;
}

/** The checks of a constitution with how often each one fired, and how often a person let pass what it fired about. */
export function countRules(
  { principles, constraints }: Constitution,
  reports: readonly AlignmentReport[],
): ConstitutionRule[] {
  const counts = new Map<string, Counts>();
  for (const { checks, decidedBy, verdict } of reports) {
    const isOverruled = decidedBy !== "" && verdict === AlignmentVerdict.VALID;
    for (const { principle, check, status } of checks) {
      const key = JSON.stringify([principle, check]);
      const count = counts.get(key) ?? { checked: 0, fired: 0, escalated: 0, overruled: 0 };
      counts.set(key, count);
      count.checked++;
      const fired = status === PolicyCheckStatus.FAIL;
      const escalated = status === PolicyCheckStatus.ESCALATE;
      if (fired) count.fired++;
      if (escalated) count.escalated++;
      if (isOverruled && (fired || escalated)) count.overruled++;
    }
  }
  const rules = [
    ...principles.map(({ key, ...one }) => ({ ...one, principle: key, isConstraint: false })),
    ...constraints.map(({ name, ...one }) => ({ ...one, principle: name, isConstraint: true })),
  ];
  return rules.flatMap(({ principle, isConstraint, description, severity, checks }) => {
    const about = { principle, isConstraint, description, severity };
    if (checks.length === 0) return [create(ConstitutionRuleSchema, about)];
    return checks.map(({ name, rule, on }) =>
      create(ConstitutionRuleSchema, {
        ...{ ...about, check: name, kind: rule.kind, on },
        ...counts.get(JSON.stringify([principle, name])),
      }),
    );
  });
}
