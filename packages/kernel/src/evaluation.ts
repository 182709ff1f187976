/** Evaluations (`@baton/kernel/evaluation`): the file, its checks, and the verdict on a run. */
export { readEvaluation } from "./config/evaluation.ts";
export { type CheckProblem, type CompiledCase, compileChecks } from "./evaluation/compile-checks.ts";
export { type Evaluation, evaluationLimits, type Finding } from "./evaluation/evaluation.ts";
export { endCheck, type Grading, judgeRun, readGrade } from "./evaluation/judge.ts";
