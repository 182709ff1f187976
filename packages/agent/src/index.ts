export type { CheckName } from "@baton/contract";
export {
  ActionProhibited,
  AgentError,
  type AgentErrorCode,
  BudgetSpent,
  ScopeMissing,
  StepLimitReached,
  StepOutcomeUnknown,
  TaskFailed,
  TaskStopped,
  ToolNotAllowed,
} from "./agent-error.ts";
export type {
  AgentDefinition,
  AgentOptions,
  CloseOptions,
  RiskTierName,
  RoleName,
} from "./api/definition.ts";
export type { StepOptions } from "./api/step.ts";
export type {
  ArtifactActionName,
  BlockerInput,
  BlockerKind,
  BudgetLeft,
  EvidenceInput,
  Exec,
  ExecOptions,
  FailureOptions,
  OutcomeOptions,
  OutOfBudgetOptions,
  SpendInput,
  Task,
  TurnInput,
} from "./api/task.ts";
export type { PinnableTool, ToolDecision, ToolProposal } from "./api/tools.ts";
export type { AttachState } from "./attach/attachment.ts";
export { type AttachedAgent, startAgent } from "./attach/start-agent.ts";
export { defaultHub } from "./hub-client.ts";
export { limits } from "./limits.ts";
export { manifestOf } from "./manifest.ts";
export type { OnProblem } from "./problem.ts";
export { type ListenOptions, type ServeOptions, type ServingAgent, serveAgent } from "./serve/serve-agent.ts";
export type { Binary, BinaryContent, InlineBinary, UploadedBinary } from "./uploads/binary.ts";
