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
import type { Fold, Memory, Step } from "./step.ts";
import { checkTimers } from "./timers.ts";
import { checkTransitions } from "./transitions.ts";

/** What must hold of every record. */
export function checkRecord(fold: Fold, memory: Memory, figures: Figures): void {
  checkRestore(fold, memory);
  checkTransitions(fold, figures);
  checkCounting(fold, memory);
  checkRewind(fold, memory);
  countLimited(fold, memory);
  checkBudget(fold, memory);
  checkStrategy(fold, memory);
  checkEndedEarly(fold, memory);
  followBranches(fold, memory, figures);
  rememberVersion(fold, memory);
}

/** What must hold after every decision; the state is folded from its records. */
export function checkStep(step: Step, state: PipelineState, memory: Memory, isThorough: boolean): void {
  checkEnded(step, state);
  checkFence(step, state);
  checkBranches(step, memory);
  checkOutcome(step, state);
  checkLifecycle(step, state);
  checkLimits(memory, state);
  checkQuestions(state);
  checkReviewer(step);
  checkOrders(step, state);
  checkTimers(step, state, memory);
  if (isThorough) checkEnvelopes(step);
  checkAudit(step, memory);
  checkShadow(step.after, state);
}
