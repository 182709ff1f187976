/** Reads the report of a test run: how many tests each part of the tree has, and how they went. */
import { relative } from "node:path";

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface Tally {
  /** By workspace: "packages/contract", "conformance", … */
  readonly workspaces: ReadonlyMap<string, Counts>;
  /** One line a file with tests that did not run. */
  readonly skippedTests: readonly string[];
  /** Files that could not even be loaded; each counts as one failure. */
  readonly brokenFiles: readonly string[];
}

interface TestResult {
  readonly status: string;
  readonly fullName: string;
}

/** As report.ts writes it. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly TestResult[];
  }[];
}

export function readReport(json: string, root: string): Tally {
  const workspaces = new Map<string, Counts>();
  const skippedTests: string[] = [];
  const brokenFiles: string[] = [];
  for (const { name, status, assertionResults } of (JSON.parse(json) as Report).testResults) {
    const file = relative(root, name).replaceAll("\\", "/");
    const workspace = workspaceOf(file);
    const counts = workspaces.get(workspace) ?? none();
    workspaces.set(workspace, counts);
    for (const test of assertionResults) counts[kindOf(test.status)]++;
    const unrun = assertionResults.filter((test) => kindOf(test.status) === "skipped");
    if (unrun.length > 0) skippedTests.push(describeUnrun(file, unrun));
    if (status === "failed" && !assertionResults.some((test) => test.status === "failed")) {
      counts.failed++;
      brokenFiles.push(file);
    }
  }
  return { workspaces, skippedTests, brokenFiles };
}

export function none(): Counts {
  return { passed: 0, failed: 0, skipped: 0 };
}

export function sum(all: Iterable<Counts>): Counts {
  const total = none();
  for (const { passed, failed, skipped } of all) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  return total;
}

/** The form of the last line of `npm test`. */
export function describeCounts({ passed, failed, skipped }: Counts): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}

function describeUnrun(file: string, tests: readonly TestResult[]): string {
  const [only, ...others] = tests;
  return others.length === 0 ? `${file}: ${only?.fullName}` : `${file}: ${tests.length} tests`;
}

function kindOf(status: string): keyof Counts {
  if (status === "passed" || status === "failed") return status;
  return "skipped";
}

/** The part of the tree that a file belongs to. */
export function workspaceOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  return ["packages", "apps", "examples"].includes(first) ? `${first}/${second}` : first;
}
