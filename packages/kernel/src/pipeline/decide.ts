import { AuditEventType, EscalationKind } from "@baton/contract";
import { judgeFreshness, leftToRead, staleRefs } from "../dispatch/freshness.ts";
import type { Problem } from "../problem.ts";
import { describeDecline } from "../trust/entropy/decline.ts";
import { observeConfidence } from "../trust/entropy/entropy.ts";
import type { World } from "../world.ts";
import { acceptPlan } from "./accept-plan.ts";
import { startWhatCan } from "./advance.ts";
import { takeAgentReview } from "./agent-review.ts";
import { changeLimits } from "./change-limits.ts";
import type { Decision } from "./command.ts";
import { decideReview } from "./decide-review.ts";
import { Draft } from "./draft.ts";
import { loseAgent, retryOrFail, tellEnded } from "./end-attempt.ts";
import { enforceSafety } from "./enforce-safety.ts";
import { contextFor, levelOf } from "./envelope.ts";
import { escalate } from "./escalate.ts";
import { followTenant, goOnWithTenant } from "./halt.ts";
import type { PipelineInput } from "./input.ts";
import { judgeContext } from "./judge-context.ts";
import { judgeWorkspace } from "./judge-workspace.ts";
import { noteLeft } from "./note-left.ts";
import { overrideStage } from "./override-stage.ts";
import { abort, answer, pause, resume, rewindByPerson } from "./person.ts";
import { askForHelpWithPlace } from "./prepare-workspace.ts";
import { disregard, receiveResult, stageThatSent } from "./receive-result.ts";
import { judgeRerunAgain, whyNotRerun } from "./rerun.ts";
import { restore, tellBranches } from "./restore.ts";
import { judgeResubmission } from "./resubmission.ts";
import { judge } from "./review.ts";
import { ring } from "./ring.ts";
import { askToRead, sendRefreshed, setWait, startStage } from "./start-stage.ts";
import { hasEnded, type PipelineState, waitOf } from "./state.ts";
import { cancelStage, skipStage } from "./steer-stage.ts";
import { submit } from "./submit.ts";

/**
 * Decides what follows from an input: a pure function, the only one that decides about a pipeline. Records and audit
 * entries are to be durable before any command leaves. An input that comes too late, or twice, gives no records.
 */
export function decide(state: PipelineState | undefined, input: PipelineInput, world: World): Decision {
  if (input.type === "submit") return decideSubmit(state, input, world);
  if (!state) return refused(noPipeline);
  const draft = new Draft(state, world);
  const problem =
    anonymous(input) ?? (hasEnded(state) ? reactAfterTheEnd(draft, input) : react(draft, input));
  if (problem) return refused(problem);
  if (draft.hasMoved) startWhatCan(draft); // What one stage gives back, another may have waited for.
  followTenant(draft);
  return draft.done();
}

function decideSubmit(
  state: PipelineState | undefined,
  input: Extract<PipelineInput, { type: "submit" }>,
  world: World,
): Decision {
  if (state) {
    const other = input.rerun ? undefined : judgeResubmission(state.task, input.task);
    const conflict = other ?? judgeRerunAgain(state, input.rerun);
    return conflict ? refused(conflict) : new Draft(state, world).done();
  }
  const planned = acceptPlan(input.stages, input.policy);
  const [problem] = planned.ok
    ? [...judgeWorkspace(input.task), ...(input.rerun ? [] : judgeContext(input.task, planned.plan))]
    : planned.problems;
  const hindrance = problem ?? (input.rerun && whyNotRerun(input.rerun));
  if (hindrance) return refused(hindrance);
  const draft = new Draft(undefined, world);
  submit(draft, input);
  followTenant(draft);
  return draft.done();
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

/** Nothing moves any more. What comes in late is on record, and what people want is refused. */
function reactAfterTheEnd(
  draft: Draft,
  input: Exclude<PipelineInput, { type: "submit" }>,
): Problem | undefined {
  if (input.type === "restore") return restore(draft, input);
  if (input.type === "work-left") noteLeft(draft, input);
  if (input.type === "result") disregard(draft, input.dispatchId, input.answer, "the pipeline has ended");
  if (!("by" in input)) return undefined;
  const fix = `look at the run again: it is ${draft.state.life.status}`;
  return {
    code: "BATON-PIPELINE-002",
    at: "",
    message: `cannot ${verbOf(input)}: it has ended already`,
    fix,
  };
}

/** What somebody asks for, in words. */
function verbOf({ type }: PipelineInput): string {
  return verbs[type] ?? type;
}

const verbs: { readonly [Type in PipelineInput["type"]]?: string } = {
  "change-limits": "change the limits",
  "skip-stage": "skip a stage",
  "override-stage": "override a stage",
  "cancel-stage": "cancel a stage",
};

/** What people do to a pipeline has a person and a reason behind it (PIP-10). */
function anonymous(input: Exclude<PipelineInput, { type: "submit" }>): Problem | undefined {
  if (!("by" in input)) return undefined;
  const fix = "say who asks for it, and why";
  if (input.by.id === "") return { code: "BATON-PIPELINE-004", at: "by", message: "nobody asks for it", fix };
  // Who answers a question has been asked for an answer, and need not say why.
  if ("reason" in input && input.reason === "" && input.type !== "resolve") {
    return {
      code: "BATON-PIPELINE-004",
      at: "reason",
      message: `cannot ${verbOf(input)} without a reason`,
      fix,
    };
  }
  const isPersons =
    input.type === "pause" ||
    input.type === "resume" ||
    input.type === "abort" ||
    input.type === "rewind" ||
    input.type === "restore" ||
    input.type === "change-limits" ||
    input.type === "skip-stage" ||
    input.type === "override-stage" ||
    input.type === "cancel-stage";
  if (!isPersons || input.by.kind === "human" || input.by.kind === "system") return undefined;
  return {
    code: "BATON-PIPELINE-004",
    at: "by",
    message: `an agent cannot ${verbs[input.type] ?? `${input.type} a run`}`,
    fix: "let a person do it",
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
    case "skip-stage":
      return skipStage(draft, input);
    case "override-stage":
      return overrideStage(draft, input);
    case "cancel-stage":
      return cancelStage(draft, input);
    case "review":
      return decideReview(draft, input);
    case "agent-reviewed":
      return takeAgentReview(draft, input);
    case "rewind":
      return rewindByPerson(draft, input);
    case "restore":
      return restore(draft, input);
    case "branches-not-restored":
      tellBranches(draft, input);
      return undefined;
    case "resolve":
      return answer(draft, input);
    case "result":
      receiveResult(draft, input.dispatchId, input.answer);
      break;
    case "wake":
      goOnWithTenant(draft);
      startWhatCan(draft);
      return undefined;
    case "timer":
      ring(draft, input.timerId);
      break;
    case "refreshed":
      refreshed(draft, input);
      break;
    case "workspace-prepared":
      takePlace(draft, input);
      break;
    case "work-left":
      noteLeft(draft, input);
      return undefined;
    case "turn":
      observe(draft, input);
      return undefined;
    default:
      aboutAttempt(draft, input);
  }
  return undefined;
}

/** Inputs that concern an attempt under way; about any other they say nothing. */
function aboutAttempt(
  draft: Draft,
  input: Extract<PipelineInput, { type: "not-delivered" | "agent-lost" | "steps" | "verified" }>,
): void {
  const index = stageThatSent(draft, input.dispatchId);
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || stage?.status !== "DISPATCHED") return;
  const { phase } = stage;
  if (input.type === "verified") {
    if (phase.kind === "verifying")
      judge(draft, { index, sent: phase.sent, result: phase.result }, input.verification);
    return;
  }
  if (phase.kind !== "sent") return;
  const { sent } = phase;
  switch (input.type) {
    case "not-delivered": {
      tellEnded(draft, index, sent, "lost", input.reason);
      const failure = { code: "NOT_DELIVERED", reason: input.reason, result: undefined };
      return retryOrFail(draft, index, { failure, neverArrived: true });
    }
    case "agent-lost":
      return loseAgent(draft, index, sent, input.reason);
    case "steps":
      return enforceSafety(draft, index, sent, input);
  }
}

/** Step 4 of dispatch: the references are read; strict policies block, others go on with the marker. */
function refreshed(
  draft: Draft,
  { stageId, attempt, refs }: Extract<PipelineInput, { type: "refreshed" }>,
): void {
  const index = draft.state.plan.indexOf.get(stageId);
  const stage = index === undefined ? undefined : draft.stage(index);
  const wait = stage && waitOf(stage);
  if (index === undefined || wait?.kind !== "refresh" || stage?.attempt !== attempt) return;
  if (draft.state.life.status !== "RUNNING" || draft.world.halt)
    return setWait(draft, index, { kind: "turn" });
  const { freshness } = draft.plan(index);
  const known = contextFor(draft, index).refs;
  if (leftToRead(known, refs, freshness, draft.nowMs).length > 0)
    return askToRead(draft, index, staleRefs(known, freshness, draft.nowMs));
  const outcome = judgeFreshness(known, refs, freshness, draft.nowMs);
  if (outcome.blocking.length === 0) return sendRefreshed(draft, index, outcome.refs, outcome.checks);
  const problem = `references are too old and cannot be read again: ${outcome.blocking.join("; ")}`;
  draft.note(AuditEventType.DISPATCH_DECISION, "did not send", {
    stage: index,
    rationale: problem,
    snapshot: {
      case: "dispatch",
      value: {
        routingPolicyVersion: draft.world.policy.version,
        contextLevelApplied: levelOf(draft, index),
        attemptNumber: attempt,
        refFreshness: [...outcome.checks],
      },
    },
  });
  const escalationId = escalate(draft, {
    kind: EscalationKind.FRESHNESS,
    stage: index,
    snapshot: {
      problem,
      impact: `stage "${stageId}" is not sent`,
      options: ["retry", "abort"],
      recommended: "make them readable, and retry",
      blocking: true,
    },
  });
  setWait(draft, index, { kind: "stale", escalationId });
}

/** The place is made, and the stage goes on from where it waited; or a person has to mend what keeps it from being made. */
function takePlace(
  draft: Draft,
  { stageId, attempt, made }: Extract<PipelineInput, { type: "workspace-prepared" }>,
): void {
  const index = draft.state.plan.indexOf.get(stageId);
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || !stage || waitOf(stage)?.kind !== "workspace" || stage.attempt !== attempt)
    return;
  if (!made.ok) return askForHelpWithPlace(draft, index, made);
  const { path, branch, baseCommit, startCommit } = made;
  const place = { attempt, path, branch, baseCommit, startCommit };
  draft.record({ type: "prepared", stage: index, place, atMs: draft.nowMs });
  setWait(draft, index, { kind: "turn" });
  startStage(draft, index);
}

/** TUR-07: an agent that grows less and less sure is worth a look. Nothing stops for it. */
function observe(
  draft: Draft,
  { dispatchId, turnIndex, confidence }: Extract<PipelineInput, { type: "turn" }>,
): void {
  const index = stageThatSent(draft, dispatchId);
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || stage?.status !== "DISPATCHED" || stage.phase.kind !== "sent") return;
  const { state: entropy, alarm } = observeConfidence(
    stage.phase.entropy,
    { turnIndex, confidence },
    draft.world.entropy,
  );
  // A turn that is told again says nothing new.
  if (entropy === stage.phase.entropy) return;
  draft.record({ type: "observed", stage: index, entropy, atMs: draft.nowMs });
  if (!alarm) return;
  escalate(draft, {
    kind: EscalationKind.ENTROPY,
    stage: index,
    sent: stage.phase.sent,
    snapshot: {
      problem: describeDecline(alarm),
      impact: "none yet: the agent goes on",
      options: ["acknowledge", "abort"],
      recommended: "look at its turns",
      blocking: false,
    },
  });
}
