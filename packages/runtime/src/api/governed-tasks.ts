import type { Ack, Nack, NumberedResult, Result, Transcript } from "@baton/protocols/sap";
import type { Caller } from "../ports/caller.ts";

/** Governed tasks in the dialect of SAP. A task is a run like any other: these calls translate, and decide nothing. */
export interface GovernedTasks {
  /** Accepts a value of any shape, or the bytes of a body. The same task again is acknowledged again. */
  submit(caller: Caller, task: unknown, options?: SubmitOptions): Promise<Ack | Nack>;
  /** The Result now. */
  result(caller: Caller, taskId: string): Promise<Result | Nack>;
  /** The Results after a number, as they come; ends with the outcome. */
  follow(
    caller: Caller,
    taskId: string,
    after: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<NumberedResult> | Nack>;
  /** Ends a task. One that has ended stays as it is. */
  cancel(caller: Caller, taskId: string, reason: string): Promise<Result | Nack>;
  transcript(caller: Caller, taskId: string): Promise<Transcript | Nack>;
}

export interface SubmitOptions {
  /** The correlationId that the transport states beside the task, which has to be the same. */
  readonly correlationId?: string | undefined;
}
