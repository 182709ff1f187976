import { checkCachePolicy } from "../governance/cache/check-policy.ts";
import { capabilityOf, mayIssue } from "../governance/scope.ts";
import type { Problem } from "../problem.ts";
import type { World } from "../world.ts";
import type { Decision } from "./decision/command.ts";
import { Draft } from "./decision/draft.ts";
import type { InputOf, PipelineInput } from "./decision/input.ts";
import { askAboutDelivery } from "./person/ask-about-delivery.ts";
import { changeLimits } from "./person/change-limits.ts";
import { checkCaller, verbOf } from "./person/check-caller.ts";
import { labelRun } from "./person/label-run.ts";
import { overrideStage } from "./person/override-stage.ts";
import { abort, answer, pause, resume } from "./person/run-control.ts";
import { cancelStage, skipStage } from "./person/steer-stage.ts";
import { pauseWithTenant, resumeWithTenant } from "./person/tenant-halt.ts";
import { acceptPlan } from "./plan/accept-plan.ts";
import { checkContext } from "./plan/check-work.ts";
import { checkWorkspace } from "./plan/check-workspace.ts";
import { type PlanResult, withPolicy } from "./plan/plan.ts";
import { acceptChecks, acceptConsulted } from "./result/align-output.ts";
import { handleAttemptInput } from "./result/attempt-input.ts";
import { observe } from "./result/observe-confidence.ts";
import { disregard, receiveResult } from "./result/receive-result.ts";
import { recordLeftWork } from "./result/record-left-work.ts";
import { reportStep, stepTooLate } from "./result/report-step.ts";
import { acceptAgentReview, decideReview } from "./review/decide-review.ts";
import { reportBranches, rewind } from "./rewind/rewind.ts";
import { startReady } from "./stage/advance.ts";
import { tooManyIdentical } from "./stage/answer-from-cache.ts";
import { acceptWorkspace, refreshed } from "./stage/start-stage.ts";
import { hasEnded, type PipelineState } from "./state/state.ts";
import { checkRerun } from "./submission/rerun.ts";
import { checkResubmission, checkSameRerun } from "./submission/resubmission.ts";
import { submit } from "./submission/submit.ts";
import { handleTimer } from "./timer-fired.ts";

/**
 * Decides about a pipeline: a pure function. Records and audit entries must be durable before any command is executed. A
 * late or repeated input leads to no records.
 */
export function decide(state: PipelineState | undefined, input: PipelineInput, world: World): Decision {
  if (input.type === "submit") return decideSubmit(state, input, world);
  if (!state) return refused(noPipeline);
  const draft = new Draft(state, world);
  const problem = checkCaller(input) ?? (hasEnded(state) ? reactAfterEnd(draft, input) : react(draft, input));
  if (problem) return refused(problem);
  if (draft.hasMoved) startReady(draft); // Released budget or agents may let another stage start.
  pauseWithTenant(draft);
  return draft.done();
}

function decideSubmit(
  state: PipelineState | undefined,
  input: Extract<PipelineInput, { type: "submit" }>,
  world: World,
): Decision {
  if (state) {
    const other = input.rerun ? undefined : checkResubmission(state.task, input.task);
    const conflict = other ?? checkSameRerun(state, input.rerun);
    return conflict ? refused(conflict) : new Draft(state, world).done();
  }
  const planned: PlanResult = input.plan
    ? { ok: true, plan: withPolicy(input.plan, input.policy) }
    : acceptPlan(input.stages, input.policy);
  if (!planned.ok) return refused(planned.problems[0] as Problem);
  const [problem] = [
    ...checkWorkspace(input.task),
    ...(input.rerun ? [] : checkContext(input.task, planned.plan)),
    ...checkCachePolicy(input.task, planned.plan.stages.length),
  ];
  const unfit = problem ?? checkIssuer(input, world) ?? tooManyIdentical(world);
  const whyRefused = unfit ?? (input.rerun && checkRerun(input.rerun));
  if (whyRefused) return refused(whyRefused);
  const draft = new Draft(undefined, world);
  submit(draft, input, planned.plan);
  pauseWithTenant(draft);
  return draft.done();
}

/** SAP V2 §11: consumers validate issuer authorization for the target capability. */
function checkIssuer({ task }: InputOf<"submit">, { constitution }: World): Problem | undefined {
  const { governance } = task;
  const capability = capabilityOf(task);
  if (!governance || !constitution || mayIssue(constitution, governance, capability)) return undefined;
  return {
    code: "BATON-GOVERNANCE-001",
    at: "governance.issuer.agent_id",
    message: `"${governance.issuer?.agentId}" may not issue "${capability}"`,
    fix: "let an issuer that the constitution names submit it, or add a grant to issuers in config/constitution.yaml",
  };
}

function refused(problem: Problem): Decision {
  return { accepted: false, problem };
}

const noPipeline: Problem = {
  code: "BATON-PIPELINE-003",
  at: "",
  message: "there is no such run",
  fix: "list the runs (baton runs list) and name one of them",
};

/** After the end, late results are recorded and requests of people are refused. */
function reactAfterEnd(draft: Draft, input: Exclude<PipelineInput, { type: "submit" }>): Problem | undefined {
  if (input.type === "rewind") return rewind(draft, input);
  if (input.type === "label") return labelRun(draft, input);
  if (input.type === "undelivered") askAboutDelivery(draft, input);
  // Questions about deliveries are asked and answered after the end.
  if (input.type === "resolve" && draft.state.escalations.get(input.escalationId)?.delivery)
    return answer(draft, input);
  if (input.type === "work-left") recordLeftWork(draft, input);
  if (input.type === "result") disregard(draft, input.dispatchId, input.answer, "the run has ended");
  if (input.type === "step") return stepTooLate(input.dispatchId);
  if (!("by" in input)) return undefined;
  const { id, life } = draft.state;
  const rerun = "stageId" in input ? `, or baton rerun ${id} --from ${input.stageId}` : "";
  return {
    code: "BATON-PIPELINE-002",
    at: "",
    message: `cannot ${verbOf(input)}: the run has ended (${life.status})`,
    fix: `take it back with baton rewind ${id} --to REVISION (baton runs transitions ${id} lists them)${rerun}`,
  };
}

function react(draft: Draft, input: Exclude<PipelineInput, { type: "submit" }>): Problem | undefined {
  switch (input.type) {
    case "pause":
      return pause(draft, input);
    case "resume":
      return resume(draft, input);
    case "abort":
      return abort(draft, input);
    case "change-limits":
      return changeLimits(draft, input);
    case "label":
      return labelRun(draft, input);
    case "skip-stage":
      return skipStage(draft, input);
    case "override-stage":
      return overrideStage(draft, input);
    case "cancel-stage":
      return cancelStage(draft, input);
    case "review":
      return decideReview(draft, input);
    case "agent-reviewed":
      return acceptAgentReview(draft, input);
    case "rewind":
      return rewind(draft, input);
    case "branches-not-restored":
      reportBranches(draft, input);
      return undefined;
    case "undelivered":
      askAboutDelivery(draft, input);
      return undefined;
    case "resolve":
      return answer(draft, input);
    case "result":
      receiveResult(draft, input.dispatchId, input.answer);
      break;
    case "wake":
      resumeWithTenant(draft);
      startReady(draft);
      return undefined;
    case "alignment-checked":
      acceptChecks(draft, input);
      break;
    case "consulted":
      acceptConsulted(draft, input);
      break;
    case "timer":
      handleTimer(draft, input.timerId);
      break;
    case "refreshed":
      refreshed(draft, input);
      break;
    case "workspace-prepared":
      acceptWorkspace(draft, input);
      break;
    case "work-left":
      recordLeftWork(draft, input);
      return undefined;
    case "turn":
      observe(draft, input);
      return undefined;
    case "step":
      return reportStep(draft, input.dispatchId, input.step);
    default:
      handleAttemptInput(draft, input);
  }
  return undefined;
}
