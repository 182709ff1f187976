import type { Contract, SafetyContext, SubmitTaskRequest } from "@baton/contract";
import { contextLevelFor, partsLeftOut } from "../../dispatch/context-level.ts";
import type { Problem } from "../../problem.ts";
import type { PipelinePlan } from "./plan.ts";

/** Finds entries of a task that would silently limit, check or require nothing. */
export function checkWork({
  contract,
  safety,
}: {
  readonly contract?: Contract | undefined;
  readonly safety?: SafetyContext | undefined;
}): readonly Problem[] {
  return [...(contract ? checkContract(contract, "contract") : []), ...(safety ? checkSafety(safety) : [])];
}

/** Also for the contract of a stage, which a template states in part. */
export function checkContract(contract: Contract, at: string): readonly Problem[] {
  const { expectedFiles: files, tests, io } = contract;
  const paths = {
    "expected_files.create": files?.create ?? [],
    "expected_files.modify": files?.modify ?? [],
    "expected_files.delete": files?.delete ?? [],
    "tests.tests_to_add": tests?.testsToAdd ?? [],
  };
  const texts = {
    acceptance_criteria: contract.acceptanceCriteria,
    non_goals: contract.nonGoals,
    definition_of_done: contract.definitionOfDone,
    required_tools: contract.requiredTools,
    "tests.tests_to_run": tests?.testsToRun ?? [],
    "io.dependencies": io?.dependencies ?? [],
    "io.artifacts": io?.artifacts ?? [],
    "io.expected_interfaces": io?.expectedInterfaces ?? [],
  };
  return [...blanks({ ...texts, ...paths }, at), ...outside(paths, at)];
}

function checkSafety(safety: SafetyContext): readonly Problem[] {
  const { maxAutonomousSteps: steps, authScopes, prohibitedActions, toolAllowlist, toolDenylist } = safety;
  const texts = {
    auth_scopes: authScopes,
    prohibited_actions: prohibitedActions,
    tool_allowlist: toolAllowlist,
    tool_denylist: toolDenylist,
  };
  const fix = "write 1 or more, or leave it out for no limit";
  return [
    ...blanks(texts, "safety"),
    ...(steps < 0 ? [problem("safety.max_autonomous_steps", `${steps} is less than zero`, fix)] : []),
  ];
}

type Lists = Readonly<Record<string, readonly string[]>>;

/** An empty entry matches nothing: most often an unset variable. */
function blanks(lists: Lists, at: string): readonly Problem[] {
  return each(lists, at, (text) => text.trim() === "", "has no text", "write what is meant, or leave it out");
}

/** The hub sees only changes inside the workspace. */
function outside(lists: Lists, at: string): readonly Problem[] {
  const leadsOut = (path: string) => path.startsWith("/") || /(^|\/)\.\.(\/|$)/.test(path);
  return each(lists, at, leadsOut, "leads out of the workspace", "name it by its path from the workspace");
}

function each(
  lists: Lists,
  at: string,
  isWrong: (text: string) => boolean,
  message: string,
  fix: string,
): readonly Problem[] {
  return Object.entries(lists).flatMap(([name, items]) =>
    items.flatMap((text, index) => (isWrong(text) ? [problem(`${at}.${name}[${index}]`, message, fix)] : [])),
  );
}

function problem(at: string, message: string, fix: string): Problem {
  return { code: "BATON-PIPELINE-001", at, message, fix };
}

/** Refuses context that no stage receives: the submitter expects an agent to read it (DIS-10). */
export function checkContext(task: SubmitTaskRequest, { stages }: PipelinePlan): readonly Problem[] {
  const dropped = stages.map(({ contextLevel }) =>
    partsLeftOut(contextLevelFor(task, contextLevel), task.context),
  );
  const [first = [], ...others] = dropped;
  const lost = first.filter((part) => others.every((parts) => parts.includes(part)));
  return lost.map((part) => ({
    code: "BATON-PIPELINE-001",
    at: `context.${part}`,
    message: `no stage receives it: the context level of ${stages.length === 1 ? "the stage" : "every stage"} leaves it out`,
    fix: "set context_level to RICH (baton run --context-level rich), or leave it out of the task",
  }));
}
