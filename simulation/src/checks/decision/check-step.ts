import type { Figures } from "../../figures.ts";
import type { PipelineState } from "../../kernel.ts";
import { checkShadow } from "../difference.ts";
import { checkAudit } from "./audit.ts";
import { checkBranches, followBranches } from "./branches.ts";
import { checkBudget } from "./budget.ts";
import { checkEnvelopes, checkOrders } from "./commands.ts";
import { checkEnded } from "./ended.ts";
import { checkEndedEarly } from "./ended-early.ts";
import { checkQuestions, checkReviewer } from "./escalations.ts";
import { checkCounting, checkFence } from "./fence.ts";
import { checkLifecycle, checkLimits } from "./lifecycle.ts";
import { checkOutcome, checkStrategy } from "./outcome.ts";
import { checkRestore, rememberVersion } from "./restore.ts";
import { checkRewind, countLimited } from "./rewind.ts";
import type { Fold, Model, Step } from "./step.ts";
import { checkTimers } from "./timers.ts";
import { checkTransitions } from "./transitions.ts";

export function checkRecord(fold: Fold, model: Model, figures: Figures): void {
  checkRestore(fold, model);
  checkTransitions(fold, figures);
  checkCounting(fold, model);
  checkRewind(fold, model);
  countLimited(fold, model);
  checkBudget(fold, model);
  checkStrategy(fold, model);
  checkEndedEarly(fold, model);
  followBranches(fold, model, figures);
  rememberVersion(fold, model);
}

/** Checks a decision; `state` is the fold of its records. */
export function checkStep(step: Step, state: PipelineState, model: Model, isThorough: boolean): void {
  checkEnded(step, state);
  checkFence(step, state);
  checkBranches(step, model);
  checkOutcome(step, state);
  checkLifecycle(step, state);
  checkLimits(model, state);
  checkQuestions(state);
  checkReviewer(step);
  checkOrders(step, state);
  checkTimers(step, state, model);
  if (isThorough) checkEnvelopes(step);
  checkAudit(step, model);
  checkShadow(step.after, state);
}
