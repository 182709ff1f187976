import { AgentError, type SpendInput, type Task } from "@baton/agent";
import type { AgentResult } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";

export interface StepOptions<Value> {
  /** Whether it may run again when its outcome is unknown. */
  readonly idempotent: boolean;
  readonly critical?: boolean;
  readonly usage?: (value: Value) => SpendInput;
}

type Once = <Value>(
  name: string,
  args: JsonObject,
  run: () => Promise<Value>,
  options: StepOptions<Value>,
) => Promise<Value>;

/** The durable steps of the SDK. */
interface StepTask {
  readonly once?: Once;
  readonly askAbout?: (unknown: Error) => AgentResult;
}

/** A step that began in an earlier attempt and is not known to have ended. */
export interface OutcomeUnknown extends Error {
  readonly critical: boolean;
  /** What a person answered to the question about it. */
  readonly answer: string | undefined;
  settle(value: unknown): Promise<unknown>;
}

export function isOutcomeUnknown(error: unknown): error is OutcomeUnknown {
  return error instanceof Error && error.name === "StepOutcomeUnknown";
}

/** Calls of models and tools as durable steps: what an earlier attempt at the same work completed is not done again. */
export class Steps {
  readonly #task: Task & StepTask;

  constructor(task: Task) {
    this.#task = task;
  }

  /** Whether completed steps are known to the next attempt. */
  get areStored(): boolean {
    return this.#task.once !== undefined;
  }

  /** A value that is too large to be stored is used, and produced again in another attempt. */
  async once<Value>(
    name: string,
    args: JsonObject,
    run: () => Promise<Value>,
    options: StepOptions<Value>,
  ): Promise<Value> {
    let produced: { readonly value: Value } | undefined;
    const produce = async () => {
      const value = await run();
      produced = { value };
      return value;
    };
    try {
      if (this.#task.once !== undefined) return await this.#task.once(name, args, produce, options);
      await produce();
    } catch (error) {
      if (produced === undefined || !isTooLarge(error)) throw error;
    }
    const { value } = produced as unknown as { readonly value: Value };
    if (options.usage !== undefined) this.#task.spend(options.usage(value));
    return value;
  }

  /** Asks a person about it. */
  ask(unknown: OutcomeUnknown): AgentResult {
    if (this.#task.askAbout !== undefined) return this.#task.askAbout(unknown);
    return this.#task.escalate(unknown.message, {
      code: "STEP_OUTCOME_UNKNOWN",
      noEvidence: unknown.message,
    });
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof AgentError && error.code === "BATON-SDK-019";
}
