import { type CheckClaim, CheckClaimSchema, type CheckRun, CheckRunSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { GateCheckFinding } from "./gate.ts";

/** Caveats of the checks for a reviewer. */
export function noticesOf(checks: readonly GateCheckFinding[]): readonly string[] {
  return checks.flatMap(({ name, run }) => [
    ...(run?.sandbox === "plain" ? [`the check "${name}" ran without a sandbox`] : []),
    ...(run?.sandbox === "namespaces" ? [`the check "${name}" ran in a weak sandbox: namespaces`] : []),
    ...(run?.baseTests ? [describeBaseTests(run.passed, run.baseTests)] : []),
  ]);
}

/** The outcome of the tests as of the base commit. */
export interface BaseTests {
  /** Files of tests that the author changed, removed or added. */
  readonly changedTests: readonly string[];
  readonly passed: boolean;
  readonly exitCode: number;
  readonly output: string;
}

const maxNamed = 10;

/** States in a sentence which of the two passed. */
export function describeBaseTests(passed: boolean, base: BaseTests): string {
  const { changedTests: all } = base;
  const more = all.length > maxNamed ? ` and ${all.length - maxNamed} more` : "";
  const named = `${all.slice(0, maxNamed).join(", ")}${more}`;
  const say = (isGood: boolean) => (isGood ? "passes" : "fails");
  return `the author changed tests (${named}): the command ${say(passed)} with them, and ${say(base.passed)} with the tests of the base commit`;
}

/** The author's tests pass and those of the base commit fail. A rule cannot distinguish new behaviour from a regression. */
export function failsBaseTests(checks: readonly GateCheckFinding[]): boolean {
  return checks.some(({ run }) => run?.passed === true && run.baseTests?.passed === false);
}

/** Converts the claim and the hub's own run of a check to the contract's types. */
export function claimAndRun({ claim, run }: Partial<Pick<GateCheckFinding, "claim" | "run">>): {
  readonly claim?: CheckClaim;
  readonly run?: CheckRun;
} {
  return {
    ...(claim && { claim: create(CheckClaimSchema, claim) }),
    ...(run && { run: runOf(run) }),
  };
}

function runOf(run: RunSeen): CheckRun {
  const { command, passed, exitCode, output, durationMs, sandbox, warning, baseTests } = run;
  return create(CheckRunSchema, {
    command,
    passed,
    exitCode,
    output,
    ...(durationMs !== undefined && { duration: durationFromMs(durationMs) }),
    sandbox: sandbox ?? "",
    sandboxWarning: warning ?? "",
    ...(baseTests && { baseTests: { ...baseTests, changedTests: [...baseTests.changedTests] } }),
  });
}

type RunSeen = Exclude<GateCheckFinding["run"], undefined>;
