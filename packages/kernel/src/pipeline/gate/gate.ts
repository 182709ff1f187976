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
export const gateNames = ["scope", "tests", "lint", "typecheck", "build", "security"] as const;
export type GateName = (typeof gateNames)[number];

export interface GateCheckFinding {
  readonly name: GateName;
  readonly status: "PASSED" | "FAILED" | "NOT_APPLICABLE";
  /** What was seen. */
  readonly evidence: string;
  /** The agent claimed otherwise. */
  readonly disproved: boolean;
  /** What the agent says of it; absent where it says nothing. */
  readonly claim?: GateClaim | undefined;
  /** What the hub saw; absent where it ran nothing. */
  readonly run?: GateRun | undefined;
}

export interface GateClaim {
  readonly command: string;
  readonly output: string;
  readonly passed: boolean;
}

export interface GateRun extends Omit<VerifiedCommand, "check" | "command"> {
  readonly command: string;
}

/** What the hub saw when it ran the contract's commands and looked at the files itself. */
export interface Verification {
  readonly commands: readonly VerifiedCommand[];
  /** Undefined when there was nothing to compare with. */
  readonly changes: VerifiedChanges | undefined;
  /** Why what is missing here could not be seen. */
  readonly unseen?: string | undefined;
  /** Why the changes could not be seen, where that is another matter. */
  readonly unseenChanges?: string | undefined;
  /** The commit that was made of what the agent left, where the hub made the place for it. */
  readonly commit?: string | undefined;
  /** How much the whole pipeline has changed up to that commit, or in the folder that all share; absent when not seen. */
  readonly whole?: SeenSize | undefined;
  /** What the commands ran on and is not as that commit has it; absent where everything is. */
  readonly moved?: string | undefined;
  /** What became of the files that the agent says it made; absent when they could not be looked at. */
  readonly artifacts?: readonly VerifiedArtifact[] | undefined;
}

export interface VerifiedCommand {
  readonly check: CheckName;
  /** Set where it is one of `tests_to_run`; absent for the command of the check itself. */
  readonly command?: string | undefined;
  readonly passed: boolean;
  readonly exitCode: number;
  readonly output: string;
  readonly durationMs?: number;
  /** How it was kept apart: bubblewrap, namespaces, or plain when it was not. */
  readonly sandbox?: string;
  /** What that sandbox does not keep it from. */
  readonly warning?: string;
  /** Of tests, where the author changed some. */
  readonly baseTests?: BaseTests;
}

export interface VerifiedChanges {
  readonly files: readonly { readonly path: string; readonly action: ArtifactAction }[];
  readonly lines: number;
  /** Changed, and of no size that can be counted, such as a repository inside the folder, whose files nobody sees. */
  readonly uncounted?: readonly string[] | undefined;
}

/** How much was changed since the commit that a pipeline began with. */
export interface SeenSize {
  readonly files: number;
  readonly addedLines: number;
  readonly removedLines: number;
}

export interface GateQuestion {
  readonly contract: Contract;
  readonly patchSizeLimit: number;
  readonly result: AgentResult;
  /** What the task says it touches (A §2.5), and whether a person has approved that before it was sent. */
  readonly flags?: { readonly raised: readonly string[]; readonly approved: boolean } | undefined;
  /** The hub made the place for the work, and has to have kept it. */
  readonly ownPlace?: boolean | undefined;
  /** Absent where there is no workspace to look into: then the agent's own evidence is all there is. */
  readonly verification: Verification | undefined;
}

const noCommand = "the contract names no command for it";
const noLimit = "the contract limits neither files nor size";

/** The findings of a contract that asks for no checks. Shared, so that the audit encodes it once. */
export const nothingRequired: readonly GateCheckFinding[] = gateNames.map((name) =>
  notApplicable(name, name === "scope" ? noLimit : noCommand),
);

/** All six, in order. A check that the contract asks nothing of does not apply, and says so. */
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

/** One command of a check, by what the hub saw, else by the agent's evidence. */
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

/** A task that says it touches something delicate is looked at for that, by whom there is: a person, or the agent alone. */
function checkFlags({ flags }: GateQuestion, claims: readonly EvidenceItem[]): GateCheckFinding {
  const raised = flags?.raised ?? [];
  const claim = claims.find((one) => !one.passed) ?? claims[0];
  // A finding that the agent reports itself counts, whether or not it was asked for.
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

/** What the hub saw counts; what the agent claimed only shows whether its word can be trusted. */
function judgeSeen(
  name: GateName,
  command: string,
  { check: _, command: _listed, ...verified }: VerifiedCommand,
  claims: readonly EvidenceItem[],
): GateCheckFinding {
  const { passed: ok, exitCode, output } = verified;
  const base = verified.baseTests ? `${describeBaseTests(ok, verified.baseTests)}\n` : "";
  const seen = `${base}"${command}"${describeSandbox(verified.sandbox)} ended with ${exitCode}: ${output || "(no output)"}`;
  // Where it says both, the claim that does not fit is the one to look at.
  const claim = claims.find((one) => one.passed !== ok) ?? claims[0];
  const beside = {
    run: { command, ...verified },
    ...(claim && { claim: claimOf(claim, command) }),
  };
  if (!claim || claim.passed === ok) return { ...(ok ? passed(name, seen) : failed(name, seen)), ...beside };
  const word = ok ? "failed" : "passed";
  const evidence = `the agent claimed that it ${word}: ${claim.output || "(no output)"}\nthe hub saw: ${seen}`;
  // A wrong claim of failure hides nothing.
  if (ok) return { ...passed(name, evidence), ...beside };
  return { name, status: "FAILED", evidence, disproved: true, ...beside };
}

/** A check that ran in less than the full sandbox says so first. */
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
  // The hub looked and saw no changes: a limit that nobody can check is not kept, whatever the agent lists.
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

/** A file that was to be created may turn out to exist already, and the other way round; deleting is another matter. */
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
