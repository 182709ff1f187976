import {
  type Governance,
  PressureLevel,
  type PressureReading,
  type SubmitTaskRequest,
} from "@baton/contract";
import { compilePattern } from "../json-schema/pattern.ts";
import {
  type Constitution,
  type ConstitutionCheck,
  type Constraint,
  governanceLimits,
  type LevelName,
  levelNames,
  type Principle,
  type Severity,
  thresholdShift,
} from "./constitution.ts";
import { capabilityOf, isInScope, riskName } from "./scope.ts";

/** What of a constitution applies to one task. */
export interface Selection {
  readonly capability: string;
  readonly checks: readonly SelectedCheck[];
  readonly readings: readonly PressureReading[];
  readonly level: PressureLevel;
  readonly levelReason: string;
  /** Principles and constraints of the task that the constitution does not know. */
  readonly unknown: readonly string[];
}

/** A check with the principle or constraint that it belongs to. */
export interface SelectedCheck extends ConstitutionCheck {
  readonly principle: string;
  readonly severity: Severity;
}

const levels: Readonly<Record<LevelName, PressureLevel>> = {
  instant: PressureLevel.INSTANT,
  consulted: PressureLevel.CONSULTED,
  deliberated: PressureLevel.DELIBERATED,
};

export function levelName(level: PressureLevel): LevelName {
  return levelNames[Math.max(0, level - 1)] ?? "instant";
}

export function selectChecks(
  constitution: Constitution,
  task: SubmitTaskRequest,
  governance: Governance,
): Selection {
  const capability = capabilityOf(task);
  const about = { territory: governance.territory, capability };
  const named = new Set([...governance.principles, ...governance.pressure.map(({ principle }) => principle)]);
  const principles = constitution.principles.filter(
    (one) => isInScope(one, about) && (one.always || named.has(one.key)),
  );
  const recognised = new Set<string>();
  const constraints = constitution.constraints.filter((one) => {
    if (!isInScope(one, about)) return false;
    const stated = governance.constraints.filter((text) => isConstraint(one, text));
    for (const text of stated) recognised.add(text);
    return one.always || stated.length > 0;
  });
  const known = new Set(constitution.principles.map(({ key }) => key));
  const unknown = [
    ...[...named].filter((key) => !known.has(key)),
    ...governance.constraints.filter((text) => !recognised.has(text)),
  ];
  const readings = readingsOf(principles, governance);
  const checks = [
    ...principles.flatMap(({ key, severity, checks }) =>
      checks.map((one) => ({ ...one, principle: key, severity })),
    ),
    ...constraints.flatMap(({ name, severity, checks }) =>
      checks.map((one) => ({ ...one, principle: name, severity })),
    ),
  ];
  const [level, levelReason] = effectiveLevel(constitution, governance, {
    about,
    principles,
    readings,
    checks,
  });
  return { capability, checks, readings, level, levelReason, unknown };
}

function isConstraint({ name, patterns }: Constraint, text: string): boolean {
  const plain = text.trim().toLowerCase();
  if (plain === name.trim().toLowerCase()) return true;
  const cut = text.slice(0, governanceLimits.textChars);
  return patterns.some((pattern) => compilePattern(pattern).test(cut, () => {}));
}

/** The pressure that the task states, else that of the principle. */
function readingsOf(principles: readonly Principle[], { pressure }: Governance): readonly PressureReading[] {
  const stated = new Map(pressure.map(({ principle, psi }) => [principle, psi]));
  const reading = (principle: string, psi: number): PressureReading => ({
    $typeName: "vasini.agent.v1.PressureReading",
    ...{ principle, psi },
  });
  const own = principles.map(({ key, pressure: otherwise }) => reading(key, stated.get(key) ?? otherwise));
  const seen = new Set(principles.map(({ key }) => key));
  const others = [...stated].filter(([key]) => !seen.has(key)).map(([key, psi]) => reading(key, psi));
  return [...own, ...others];
}

interface LevelInputs {
  readonly about: { readonly territory: string; readonly capability: string };
  readonly principles: readonly Principle[];
  readonly readings: readonly PressureReading[];
  readonly checks: readonly SelectedCheck[];
}

/** The highest of what the task declares, what the constitution asks and what pressure asks. Nothing lowers a declared level. */
function effectiveLevel(
  { levels: leastLevels }: Constitution,
  governance: Governance,
  { about, principles, readings, checks }: LevelInputs,
): readonly [PressureLevel, string] {
  let level: PressureLevel = governance.pressureLevel || PressureLevel.INSTANT;
  let reason = "the task declares it";
  const raise = (to: PressureLevel, why: string) => {
    if (to > level) [level, reason] = [to, why];
  };
  for (const least of leastLevels)
    if (isInScope(least, about)) raise(levels[least.level], "the constitution asks for it");
  const consulting = checks.find(({ rule }) => rule.kind === "consultation");
  if (consulting) raise(PressureLevel.CONSULTED, `the check "${consulting.name}" asks for it`);
  const risk = riskName(governance.riskTolerance);
  for (const { key, thresholds } of principles) {
    const psi = readings.find(({ principle }) => principle === key)?.psi ?? 0;
    for (const name of ["consulted", "deliberated"] as const) {
      const stated = thresholds[name];
      if (stated === undefined) continue;
      const threshold = Math.min(100, Math.max(0, stated + thresholdShift[risk]));
      if (psi >= threshold)
        raise(
          levels[name],
          `the pressure on "${key}" is ${psi}, and ${threshold} asks for it at ${risk} risk tolerance`,
        );
    }
  }
  return [level, reason];
}
