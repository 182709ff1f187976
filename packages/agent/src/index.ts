export type { CheckName } from "@baton/contract";
export {
  ActionProhibited,
  AgentError,
  type AgentErrorCode,
  BudgetSpent,
  ScopeMissing,
  StepLimitReached,
  TaskFailed,
  TaskStopped,
  ToolNotAllowed,
} from "./agent-error.ts";
export type { AgentOptions, CloseOptions } from "./agent-options.ts";
export type { AttachState } from "./attach/attachment.ts";
export { type AttachedAgent, startAgent } from "./attach/start-agent.ts";
export type { AgentDefinition, RiskTierName, RoleName } from "./definition.ts";
export type { Exec, ExecOptions } from "./exec/exec-options.ts";
export { defaultHub } from "./hub-client.ts";
export { limits } from "./limits.ts";
export { manifestOf } from "./manifest.ts";
export type {
  BlockerGiven,
  BlockerKind,
  FailureOptions,
  OutcomeOptions,
} from "./outcomes/outcome-options.ts";
export type { OnProblem } from "./problem.ts";
export { type ListenOptions, type ServeOptions, type ServingAgent, serveAgent } from "./serve/serve-agent.ts";
export type { ArtifactActionName, EvidenceGiven, SpendGiven, Task, TurnGiven } from "./task/task.ts";
