import type { Ack, Nack, NumberedResult, Result, Task, TaskEndpoint } from "@baton/protocols/sap";
import { hasOutcome, inprocName, isNack } from "@baton/protocols/sap";

/** Receives a Result. What it throws goes to `onProblem`. */
export type ResultListener = (result: Result) => void | Promise<void>;

export interface TaskBusOptions {
  /** Receives errors of listeners and of the connection to the endpoint. Default: none are reported. */
  readonly onProblem?: (problem: Error) => void;
}

interface Route {
  readonly listeners: Set<ResultListener>;
  /** Every Result so far, for listeners that come later. */
  readonly results: Result[];
}

/**
 * Governed tasks within a program (SAP V2 §10). `submit` returns an Ack or a Nack; the Results of a task whose `replyTo` is
 * `bus:inproc:NAME` go to the listeners of NAME, each Result once, in order, also to those that listen later.
 */
export class TaskBus {
  readonly #endpoint: TaskEndpoint<AbortSignal>;
  readonly #onProblem: (problem: Error) => void;
  readonly #routes = new Map<string, Route>();
  /** Tasks that are followed: the same task twice is followed once. */
  readonly #followed = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(endpoint: TaskEndpoint<AbortSignal>, { onProblem = () => {} }: TaskBusOptions = {}) {
    this.#endpoint = endpoint;
    this.#onProblem = onProblem;
  }

  /** Returns the function that removes the listener. */
  listen(name: string, listener: ResultListener): () => void {
    const route = this.#route(name);
    route.listeners.add(listener);
    for (const result of route.results) this.#deliver(listener, result);
    return () => void route.listeners.delete(listener);
  }

  async submit(task: Task): Promise<Ack | Nack> {
    const answer = await this.#endpoint.submit(task);
    if (isNack(answer)) return answer;
    const name = task.replyTo && inprocName(task.replyTo.endpoint);
    if (name !== undefined && !this.#followed.has(task.taskId))
      this.#followed.set(task.taskId, this.#follow(task.taskId, this.#route(name)));
    return answer;
  }

  /** Submits a task and waits for its outcome, which its listeners have received by then. */
  async run(task: Task, signal?: AbortSignal): Promise<Result | Nack> {
    const answer = await this.submit(task);
    if (isNack(answer)) return answer;
    const until = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    for await (const { result } of this.#endpoint.follow(task.taskId, 0, until)) {
      if (!hasOutcome(result)) continue;
      await Promise.race([this.#followed.get(task.taskId), aborted(until)]);
      return result;
    }
    until.throwIfAborted();
    return this.#endpoint.result(task.taskId);
  }

  result(taskId: string): Promise<Result | Nack> {
    return this.#endpoint.result(taskId);
  }

  cancel(taskId: string, reason: string): Promise<Result | Nack> {
    return this.#endpoint.cancel(taskId, reason);
  }

  transcript(taskId: string): ReturnType<TaskEndpoint<AbortSignal>["transcript"]> {
    return this.#endpoint.transcript(taskId);
  }

  follow(taskId: string, after: number, signal: AbortSignal): AsyncIterable<NumberedResult> {
    return this.#endpoint.follow(taskId, after, AbortSignal.any([signal, this.#closing.signal]));
  }

  /** Follows no task any more. Tasks go on. */
  close(): void {
    this.#closing.abort();
  }

  #route(name: string): Route {
    const route = this.#routes.get(name) ?? { listeners: new Set(), results: [] };
    this.#routes.set(name, route);
    return route;
  }

  async #follow(taskId: string, route: Route): Promise<void> {
    try {
      for await (const { result } of this.#endpoint.follow(taskId, 0, this.#closing.signal)) {
        route.results.push(result);
        if (route.results.length > keptResults) route.results.shift();
        for (const listener of route.listeners) this.#deliver(listener, result);
      }
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#report(error);
    }
  }

  #deliver(listener: ResultListener, result: Result): void {
    void (async () => listener(result))().catch((error: unknown) => this.#report(error));
  }

  #report(error: unknown): void {
    this.#onProblem(error instanceof Error ? error : new Error(String(error)));
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Results of one route that are kept for later listeners; of more, the last. */
const keptResults = 1_000;
