import type { Task } from "@baton/agent";
import type { JsonObject } from "@bufbuild/protobuf";

export interface StepOptions {
  /** Whether it may run again when its outcome is unknown. */
  readonly idempotent?: boolean;
  readonly critical?: boolean;
}

type Once = <Value>(
  name: string,
  args: JsonObject,
  run: () => Promise<Value>,
  options?: StepOptions,
) => Promise<Value>;

/** Runs a step, or returns what it returned in a lost attempt at the same work. Values are JSON. */
export function stepsOf(task: Task): Once {
  const { once } = task as Task & { readonly once?: Once };
  return once === undefined ? (_name, _args, run) => run() : once.bind(task);
}
