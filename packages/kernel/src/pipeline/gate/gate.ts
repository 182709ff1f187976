import {
  type AgentResult,
  ArtifactAction,
  type CheckName,
  type Contract,
  checks,
  commandOf,
  type EvidenceItem,
} from "@baton/contract";
import { checkTestsToAdd, combineTests, namesTests, plainPath, testsToRun } from "./gate-tests.ts";
import { checkLeftWork, type VerifiedArtifact } from "./left-work.ts";
import { type BaseTests, describeBaseTests } from "./notices.ts";

/** The six minimum checks of the review gate (A §4.3 step 6, §5.4). */
const gateNames = ["scope", "tests", "lint", "typecheck", "build", "security"] as const;
export type GateName = (typeof gateNames)[number];

export interface GateCheckFinding {
  readonly name: GateName;
  readonly status: "PASSED" | "FAILED" | "NOT_APPLICABLE";
  /** What was seen. */
  readonly evidence: string;
  /** The agent claimed otherwise. */
  readonly disproved: boolean;
  /** The agent's claim; absent without one. */
  readonly claim?: GateClaim | undefined;
  /** The hub's own run; absent without one. */
  readonly run?: GateRun | undefined;
}

interface GateClaim {
  readonly command: string;
  readonly output: string;
  readonly passed: boolean;
}

interface GateRun extends Omit<VerifiedCommand, "check" | "command"> {
  readonly command: string;
}

/** The hub's own findings: it ran the contract's commands and inspected the files. */
export interface Verification {
  readonly commands: readonly VerifiedCommand[];
  /** Undefined without a base to compare with. */
  readonly changes: VerifiedChanges | undefined;
  /** Why the missing parts could not be determined. */
  readonly unseen?: string | undefined;
  /** Why the changes could not be determined, if for another reason. */
  readonly unseenChanges?: string | undefined;
  /** The commit of the agent's work, if the hub prepared the workspace. */
  readonly commit?: string | undefined;
  /** The size of the pipeline's changes up to that commit, or in the shared folder; absent when unknown. */
  readonly whole?: SeenSize | undefined;
  /** How the files that the commands ran on differ from that commit; absent if they do not. */
  readonly moved?: string | undefined;
  /** The state of the files that the agent reports; absent when they could not be read. */
  readonly artifacts?: readonly VerifiedArtifact[] | undefined;
}

export interface VerifiedCommand {
  readonly check: CheckName;
  /** Set for a command of `tests_to_run`; absent for the check's own command. */
  readonly command?: string | undefined;
  readonly passed: boolean;
  readonly exitCode: number;
  readonly output: string;
  readonly durationMs?: number;
  /** The sandbox: bubblewrap, namespaces, or plain for none. */
  readonly sandbox?: string;
  /** What this sandbox does not prevent. */
  readonly warning?: string;
  /** For tests, if the author changed any. */
  readonly baseTests?: BaseTests;
}

export interface VerifiedChanges {
  readonly files: readonly { readonly path: string; readonly action: ArtifactAction }[];
  readonly lines: number;
  /** Changed files without a countable size, such as a nested repository. */
  readonly uncounted?: readonly string[] | undefined;
}

/** Changes since the pipeline's root commit. */
export interface SeenSize {
  readonly files: number;
  readonly addedLines: number;
  readonly removedLines: number;
}

export interface GateQuestion {
  readonly contract: Contract;
  readonly patchSizeLimit: number;
  readonly result: AgentResult;
  /** The security flags of the task (A §2.5), and whether a person approved them before the dispatch. */
  readonly flags?: { readonly raised: readonly string[]; readonly approved: boolean } | undefined;
  /** The hub prepared the workspace, so it must have kept a commit of the work. */
  readonly ownWorkspace?: boolean | undefined;
  /** Absent without a workspace: then only the agent's evidence is available. */
  readonly verification: Verification | undefined;
}

const noCommand = "the contract names no command for it";
const noLimit = "the contract limits neither files nor size";

/** The findings of a contract without checks. Shared, so that the audit encodes them once. */
export const nothingRequired: readonly GateCheckFinding[] = gateNames.map((name) =>
  notApplicable(name, name === "scope" ? noLimit : noCommand),
);

/** All six, in order. A check that the contract does not require is reported as not applicable. */
export function runGate(question: GateQuestion): readonly GateCheckFinding[] {
  const found = gateNames.map((name) =>
    name === "scope"
      ? checkScope(question)
      : name === "tests" && namesTests(question)
        ? checkTests(question)
        : checkCommand(name, question),
  );
  return found.every((finding, position) => finding === nothingRequired[position]) ? nothingRequired : found;
}

function notRequired(name: GateName): GateCheckFinding {
  return nothingRequired[gateNames.indexOf(name)] as GateCheckFinding;
}

export function gateHolds(checks: readonly GateCheckFinding[]): boolean {
  return checks.every(({ status }) => status !== "FAILED");
}

function checkCommand(name: CheckName, question: GateQuestion): GateCheckFinding {
  const { contract, result } = question;
  const command = commandOf(contract.environment, name);
  const claims = claimsOf(result).filter(({ type }) => type === checks[name].evidence);
  if (command === "") return name === "security" ? checkFlags(question, claims) : notRequired(name);
  return judgeCommand(name, command, undefined, claims, question);
}

/** The test command, every test to run and every test to add. */
function checkTests(question: GateQuestion): GateCheckFinding {
  const command = commandOf(question.contract.environment, "tests");
  const claims = claimsOf(question.result).filter(({ type }) => type === checks.tests.evidence);
  const toRun = testsToRun(question).filter((one) => one !== command);
  const others = claims.filter((claim) => !toRun.includes(claim.command));
  return combineTests([
    ...(command === "" ? [] : [judgeCommand("tests", command, undefined, others, question)]),
    ...toRun.map((one) => {
      const own = claims.filter((claim) => claim.command === one);
      return judgeCommand("tests", one, one, own, question);
    }),
    ...checkTestsToAdd(question),
  ]);
}

/** One command of a check: by the hub's run, else by the agent's evidence. */
function judgeCommand(
  name: CheckName,
  command: string,
  listedAs: string | undefined,
  claims: readonly EvidenceItem[],
  { verification }: GateQuestion,
): GateCheckFinding {
  const seen = verification?.commands.find((one) => one.check === name && one.command === listedAs);
  if (seen) return judgeSeen(name, command, seen, claims);
  const claim = claims.find((one) => !one.passed) ?? claims[0];
  const beside = claim && { claim: claimOf(claim, command) };
  if (verification) return { ...failed(name, `"${command}" was not run${because(verification)}`), ...beside };
  if (!claim) return failed(name, `no evidence that "${command}" passed`);
  const claimed = `the agent reports of "${claim.command || command}": ${claim.output || "(no output)"}`;
  return { ...(claim.passed ? passed(name, claimed) : failed(name, claimed)), ...beside };
}

/** A task with security flags has been looked at by a person, or only by the agent. */
function checkFlags({ flags }: GateQuestion, claims: readonly EvidenceItem[]): GateCheckFinding {
  const raised = flags?.raised ?? [];
  const claim = claims.find((one) => !one.passed) ?? claims[0];
  // A failure that the agent reports counts, required or not.
  if (raised.length === 0 && (!claim || claim.passed)) return notRequired("security");
  const delicate =
    raised.length === 0 ? noCommand : `${noCommand}, and the task is marked ${raised.join(", ")}`;
  if (claim && !claim.passed)
    return {
      ...failed("security", `${delicate}: the agent reports ${claim.output || "a failure"}`),
      claim: claimOf(claim, ""),
    };
  if (flags?.approved) return passed("security", `${delicate}: a person approved that before it was sent`);
  if (!claim) return notApplicable("security", `${delicate}: nobody has looked at that`);
  const claimed = `${delicate}: only the agent looked at that, and reports ${claim.output || "(no output)"}`;
  return { ...passed("security", claimed), claim: claimOf(claim, "") };
}

/** The hub's run decides; the claim only shows whether the agent can be trusted. */
function judgeSeen(
  name: GateName,
  command: string,
  { check: _, command: _listed, ...verified }: VerifiedCommand,
  claims: readonly EvidenceItem[],
): GateCheckFinding {
  const { passed: ok, exitCode, output } = verified;
  const base = verified.baseTests ? `${describeBaseTests(ok, verified.baseTests)}\n` : "";
  const seen = `${base}"${command}"${describeSandbox(verified.sandbox)} ended with ${exitCode}: ${output || "(no output)"}`;
  // With contradictory claims, the one that does not match.
  const claim = claims.find((one) => one.passed !== ok) ?? claims[0];
  const beside = {
    run: { command, ...verified },
    ...(claim && { claim: claimOf(claim, command) }),
  };
  if (!claim || claim.passed === ok) return { ...(ok ? passed(name, seen) : failed(name, seen)), ...beside };
  const word = ok ? "failed" : "passed";
  const evidence = `the agent claimed that it ${word}: ${claim.output || "(no output)"}\nthe hub saw: ${seen}`;
  // A false claim of failure hides nothing.
  if (ok) return { ...passed(name, evidence), ...beside };
  return { name, status: "FAILED", evidence, disproved: true, ...beside };
}

/** States a sandbox that is weaker than the full one. */
function describeSandbox(sandbox: string | undefined): string {
  if (sandbox === "plain") return " ran without a sandbox and";
  return sandbox === "namespaces" ? " ran in a weak sandbox (namespaces) and" : "";
}

function claimOf({ command, output, passed: ok }: EvidenceItem, ofContract: string): GateClaim {
  return { command: command || ofContract, output, passed: ok };
}

/** Only expected files were touched, and the patch is no larger than allowed (A §2.2, §2.3). */
function checkScope(question: GateQuestion): GateCheckFinding {
  const { contract, patchSizeLimit, result, verification } = question;
  const untrue = checkLeftWork(question);
  if (untrue) return untrue;
  const { create = [], modify = [], delete: remove = [] } = contract.expectedFiles ?? {};
  const limitsFiles = create.length + modify.length + remove.length > 0;
  if (!limitsFiles && patchSizeLimit <= 0) return notRequired("scope");
  const expected = {
    [ArtifactAction.CREATED]: create,
    [ArtifactAction.MODIFIED]: modify,
    [ArtifactAction.DELETED]: remove,
  };
  const files = verification?.changes?.files ?? result.artifacts;
  const strays = limitsFiles ? files.filter((file) => !isExpected(file, expected)) : [];
  const lines = verification?.changes?.lines;
  const limitsSize = patchSizeLimit > 0;
  const claimed = new Set(result.artifacts.map(({ path }) => path));
  if (strays.length > 0) {
    const names = strays
      .map(({ path, action }) => `${path} (${ArtifactAction[action]?.toLowerCase()})`)
      .join(", ");
    const hidden = verification?.changes !== undefined && strays.some(({ path }) => !claimed.has(path));
    return {
      name: "scope",
      status: "FAILED",
      evidence: `files nobody expected: ${names}`,
      disproved: hidden,
    };
  }
  const uncounted = verification?.changes?.uncounted ?? [];
  if (limitsSize && uncounted.length > 0)
    return failed("scope", `${tooLarge}: ${uncounted.slice(0, maxListed).join(", ")}`);
  if (lines !== undefined) {
    return limitsSize && lines > patchSizeLimit
      ? failed("scope", `${lines} changed lines are more than the ${patchSizeLimit} that are allowed`)
      : passed("scope", `${count(files.length, "file")}, ${count(lines, "line")}, all as expected`);
  }
  // A limit that the hub cannot check fails, whatever the agent reports.
  if (verification) {
    const what = limitsFiles ? "the changed files" : "the size of the patch";
    return failed(
      "scope",
      `${what} could not be seen${because({ unseen: verification.unseenChanges ?? verification.unseen })}`,
    );
  }
  const unseen = limitsSize ? "; the size of the patch was not verified" : "";
  return passed("scope", `${count(files.length, "file")} by the agent's word, all as expected${unseen}`);
}

const maxListed = 20;
const tooLarge = "the size of the patch is limited, and these have none that can be counted";

function because({ unseen }: Pick<Verification, "unseen">): string {
  return unseen === undefined ? "" : `: ${unseen}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

type Expected = Readonly<Partial<Record<ArtifactAction, readonly string[]>>>;

/** Creating and modifying are interchangeable, because a file may exist already; deleting is not. */
function isExpected({ path, action }: { path: string; action: ArtifactAction }, expected: Expected): boolean {
  const { CREATED, MODIFIED, DELETED } = ArtifactAction;
  const actions = action === DELETED ? [DELETED] : [CREATED, MODIFIED];
  const paths = actions.flatMap((one) => expected[one] ?? []);
  return paths.some((one) => plainPath(one) === plainPath(path));
}

function claimsOf({ evidence }: AgentResult): readonly EvidenceItem[] {
  return evidence?.evidencePayload.case === "items" ? evidence.evidencePayload.value.items : [];
}

function passed(name: GateName, evidence: string): GateCheckFinding {
  return { name, status: "PASSED", evidence, disproved: false };
}

function failed(name: GateName, evidence: string): GateCheckFinding {
  return { name, status: "FAILED", evidence, disproved: false };
}

function notApplicable(name: GateName, evidence: string): GateCheckFinding {
  return { name, status: "NOT_APPLICABLE", evidence, disproved: false };
}
