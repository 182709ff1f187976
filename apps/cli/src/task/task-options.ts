import { ContextLevel, FailureStrategy, Priority, RiskTier } from "@baton/contract/forms";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Duration } from "@bufbuild/protobuf/wkt";
import type { Deadline } from "./deadline.ts";

/** The options of a task. A file can set every field. */
export interface TaskOptions {
  readonly file?: string;
  readonly taskType?: string;
  readonly title?: string;
  readonly accept?: readonly string[];
  readonly nonGoal?: readonly string[];
  readonly domain?: string;
  readonly testCommand?: string;
  readonly lintCommand?: string;
  readonly typecheckCommand?: string;
  readonly buildCommand?: string;
  readonly securityCommand?: string;
  readonly context?: string;
  readonly contextLevel?: keyof typeof contextLevels;
  readonly input?: JsonObject;
  readonly key?: string;
  readonly taskId?: string;
  readonly risk?: keyof typeof risks;
  readonly priority?: keyof typeof priorities;
  readonly workspace?: string;
  readonly repository?: string;
  readonly baseCommit?: string;
  readonly branch?: string;
  readonly deadline?: Deadline;
  readonly timeout?: Duration;
  readonly budgetTokens?: number;
  readonly budgetUsd?: bigint;
  readonly budgetSteps?: number;
  readonly patchLimit?: number;
  readonly maxRetries?: number;
  readonly onFailure?: keyof typeof failures;
  readonly replyTo?: readonly string[];
  readonly replyProgress?: boolean;
  readonly dryRun?: boolean;
  readonly label?: Readonly<Record<string, string>>;
  readonly ref?: readonly string[];
  readonly refCommit?: readonly string[];
  readonly allowTool?: readonly string[];
  readonly denyTool?: readonly string[];
  readonly prohibit?: readonly string[];
  readonly maxAutonomousSteps?: number;
  readonly expectCreate?: readonly string[];
  readonly expectModify?: readonly string[];
  readonly expectDelete?: readonly string[];
}

/** What happens when a stage fails for good. */
export const failures = {
  fail: FailureStrategy.FAIL_FAST,
  pause: FailureStrategy.PAUSE,
} as const;

export const risks = {
  low: RiskTier.LOW,
  normal: RiskTier.NORMAL,
  critical: RiskTier.CRITICAL,
} as const;

export const priorities = {
  low: Priority.LOW,
  normal: Priority.NORMAL,
  high: Priority.HIGH,
  critical: Priority.CRITICAL,
} as const;

export const contextLevels = {
  minimal: ContextLevel.MINIMAL,
  layered: ContextLevel.LAYERED,
  rich: ContextLevel.RICH,
} as const;
