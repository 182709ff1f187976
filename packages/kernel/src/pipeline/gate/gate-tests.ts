import { ArtifactAction, type Contract, commandOf } from "@baton/contract";
import { brief } from "../../brief.ts";
import type { GateCheckFinding, GateQuestion, Verification } from "./gate.ts";

/** Commands of `tests_to_run`, each once. They are run like the test command (A §2.2). */
export function testsToRun({ contract }: Pick<GateQuestion, "contract">): readonly string[] {
  return listed(contract.tests?.testsToRun);
}

/** Whether the gate of this contract runs tests. */
export function runsTests(contract: Contract | undefined): boolean {
  if (!contract) return false;
  return commandOf(contract.environment, "tests") !== "" || testsToRun({ contract }).length > 0;
}

/** Whether the contract names tests beside the test command. */
export function namesTests({ contract }: GateQuestion): boolean {
  const { testsToAdd = [], testsToRun = [] } = contract.tests ?? {};
  return listed(testsToAdd).length + listed(testsToRun).length > 0;
}

/** Combines the parts of the check of tests: all must pass. */
export function combineTests(parts: readonly GateCheckFinding[]): GateCheckFinding {
  const failing = parts.find(({ status }) => status === "FAILED");
  const first = failing ?? parts[0];
  // The output of one part is enough to fix it; the others are summarised.
  const evidence = parts.map((part) => (part === first ? part.evidence : brief(part.evidence)));
  return {
    name: "tests",
    status: failing ? "FAILED" : "PASSED",
    evidence: evidence.join("\n"),
    disproved: parts.some(({ disproved }) => disproved),
    ...(first?.claim && { claim: first.claim }),
    ...(first?.run && { run: first.run }),
  };
}

/** Every test of `tests_to_add` is in the change: a file that was created or modified. */
export function checkTestsToAdd({
  contract,
  result,
  verification,
}: GateQuestion): readonly GateCheckFinding[] {
  const wanted = listed(contract.tests?.testsToAdd);
  if (wanted.length === 0) return [];
  const changes = verification?.changes;
  if (verification && !changes)
    return [finding(false, `the tests to add could not be checked${why(verification)}`)];
  const files = changes?.files ?? result.artifacts;
  const written = new Set(
    files.filter(({ action }) => action !== ArtifactAction.DELETED).map(({ path }) => plainPath(path)),
  );
  const missing = wanted.filter((test) => !written.has(fileOf(test)));
  if (missing.length > 0)
    return [finding(false, `tests to add are not in the change: ${missing.join(", ")}`)];
  const seen = changes ? "" : " by the agent's word";
  return [finding(true, `tests to add are in the change${seen}: ${wanted.join(", ")}`)];
}

/** A test may be named within its file, as `tests/login.py::test_refused`; only the file can be checked. */
function fileOf(test: string): string {
  return plainPath(test.split("::")[0] ?? "");
}

/** As git names it, without a leading `./`. */
export function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}

function listed(given: readonly string[] | undefined): readonly string[] {
  return [...new Set((given ?? []).map((one) => one.trim()))].filter((one) => one !== "");
}

function why({ unseen, unseenChanges }: Verification): string {
  const reason = unseenChanges ?? unseen;
  return reason === undefined ? "" : `: ${reason}`;
}

function finding(holds: boolean, evidence: string): GateCheckFinding {
  return { name: "tests", status: holds ? "PASSED" : "FAILED", evidence: brief(evidence), disproved: false };
}
