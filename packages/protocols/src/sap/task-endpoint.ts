import type { Ack, Nack } from "./acknowledgement.ts";
import type { Result } from "./result.ts";
import type { Task } from "./task.ts";
import type { Transcript } from "./transcript.ts";

/** A Result and its number within the run of its task, which a follower continues after. */
export interface NumberedResult {
  readonly number: number;
  readonly result: Result;
}

/** Takes governed tasks, over any transport. Refusals are values: a Nack. `Signal` is AbortSignal, which this package does not know. */
export interface TaskEndpoint<Signal> {
  submit(task: Task): Promise<Ack | Nack>;
  result(taskId: string): Promise<Result | Nack>;
  /** The Results after a number, as they come; ends with the outcome. */
  follow(taskId: string, after: number, signal: Signal): AsyncIterable<NumberedResult>;
  cancel(taskId: string, reason: string): Promise<Result | Nack>;
  transcript(taskId: string): Promise<Transcript | Nack>;
}

export function isNack(answer: object): answer is Nack {
  return "kind" in answer && answer.kind === "nack";
}
