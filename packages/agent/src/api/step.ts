import type { SpendInput } from "./task.ts";

/** What a durable step may do when it is unknown whether it ended, and what it spends. */
export interface StepOptions<Value> {
  /** Run it again when it began and is not known to have ended. Default: false. */
  readonly idempotent?: boolean;
  /** A person decides in that case, unless the agent does. Default: false. */
  readonly critical?: boolean;
  /** What it has spent; counted once, so do not call `task.spend` for it too. */
  readonly usage?: SpendInput | ((value: Value) => SpendInput);
}
