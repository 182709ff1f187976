import { AgentError, type StepOptions, type Task } from "@baton/agent";
import type { JsonObject } from "@bufbuild/protobuf";
import type { CallUsage } from "../calls/usage.ts";

export interface CallOptions<Value> extends Omit<StepOptions<Value>, "usage"> {
  readonly usage?: (value: Value) => CallUsage;
}

/**
 * Runs a call of a model or a tool as a durable step. A value that is too large to be stored is used, and produced again in
 * another attempt.
 */
export async function runStep<Value>(
  task: Task,
  name: string,
  args: JsonObject,
  run: () => Promise<Value>,
  options: CallOptions<Value>,
): Promise<Value> {
  let produced: { readonly value: Value } | undefined;
  try {
    return await task.once(
      name,
      args,
      async () => {
        const value = await run();
        produced = { value };
        return value;
      },
      options,
    );
  } catch (error) {
    if (produced === undefined || !isTooLarge(error)) throw error;
    const { value } = produced as { readonly value: Value };
    if (options.usage !== undefined) task.spend(options.usage(value));
    return value;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof AgentError && error.code === "BATON-SDK-019";
}
