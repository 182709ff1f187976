import { forbiddenAction, forbiddenUse, type TaskEnvelope, type Usage } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { ActionProhibited, ScopeMissing, StepLimitReached, ToolNotAllowed } from "../agent-error.ts";
import type { BudgetLeft, SpendInput } from "../api/task.ts";
import { UsageMeter } from "./usage-meter.ts";

/**
 * Keeps one attempt within its safety context and budget (A §2.5, SAP V2 §4.1): every use of the task is checked before
 * it happens. It is not a sandbox: what `run` does without the task is not checked.
 */
export class Safety {
  readonly #envelope: TaskEnvelope;
  readonly #meter: UsageMeter;
  #steps = 0;

  constructor(envelope: TaskEnvelope) {
    this.#envelope = envelope;
    this.#meter = new UsageMeter(envelope.execution?.budget);
  }

  /** Called before a tool runs, with its arguments: the hub ends attempts that use forbidden tools. */
  allowTool(name: string, given: JsonObject): void {
    const { safety } = this.#envelope;
    const forbidden = forbiddenUse(safety, { name, arguments: given });
    switch (forbidden?.by) {
      case undefined:
        return;
      case "deny-list":
        throw new ToolNotAllowed(name, "is on the deny list");
      case "allow-list":
        throw new ToolNotAllowed(name, `is not on the allow list (${safety?.toolAllowlist.join(", ")})`);
      case "prohibited-action":
        throw new ActionProhibited(describe(name, given), forbidden.action);
    }
  }

  allowAction(action: string): void {
    const forbidden = forbiddenAction(this.#envelope.safety, action);
    if (forbidden?.by === "prohibited-action") throw new ActionProhibited(action, forbidden.action);
  }

  needScope(scope: string): void {
    if (!this.#envelope.safety?.authScopes.includes(scope)) throw new ScopeMissing(scope);
  }

  countStep(): void {
    const allowed = this.#envelope.safety?.maxAutonomousSteps ?? 0;
    if (allowed > 0 && this.#steps >= allowed) {
      throw new StepLimitReached(allowed, "safety.max_autonomous_steps");
    }
    const granted = this.#envelope.execution?.budget?.maxSteps;
    if (granted !== undefined && this.#steps >= granted) {
      throw new StepLimitReached(granted, "execution.budget.max_steps");
    }
    this.#steps++;
  }

  spend(usage: SpendInput): void {
    this.#meter.spend(usage);
  }

  budget(): BudgetLeft {
    const { maxTokens, maxCostMicroUsd, maxSteps } = this.#envelope.execution?.budget ?? {};
    const autonomous = this.#envelope.safety?.maxAutonomousSteps || Number.POSITIVE_INFINITY;
    const steps = Math.min(maxSteps ?? Number.POSITIVE_INFINITY, autonomous);
    return {
      ...(maxTokens !== undefined && { tokensLeft: left(Number(maxTokens), this.#meter.tokens) }),
      ...(maxCostMicroUsd !== undefined && {
        costLeftMicroUsd: left(Number(maxCostMicroUsd), this.#meter.costMicroUsd),
      }),
      ...(Number.isFinite(steps) && { stepsLeft: left(steps, this.#steps) }),
    };
  }

  usage(): Usage {
    return this.#meter.usage(this.#steps);
  }
}

function left(limit: number, spent: number): number {
  return Math.max(0, limit - spent);
}

function describe(name: string, { args, command }: JsonObject): string {
  if (typeof command === "string") return command;
  return [name, ...(Array.isArray(args) ? args : [])].join(" ");
}
