/**
 * A bounded queue of messages for one watcher or agent, so that a slow reader costs no memory. A waiting reader receives a message
 * at once.
 */
export class Outgoing<Message> implements AsyncIterable<Message> {
  readonly #messages: Message[] = [];
  readonly #limit: number;
  readonly #last: () => Message | undefined;
  #reader: ((next: IteratorResult<Message, undefined>) => void) | undefined;
  #reminded = false;
  #ended = false;

  /** `last` is called whenever the queue is empty, and may return one message that combines many small ones. */
  constructor(limit: number, last: () => Message | undefined = () => undefined) {
    this.#limit = limit;
    this.#last = last;
  }

  get length(): number {
    return this.#messages.length;
  }

  /** Returns false when the queue is full or has ended. */
  push(message: Message): boolean {
    if (this.#ended || this.#messages.length >= this.#limit) return false;
    this.#messages.push(message);
    this.#serve();
    return true;
  }

  /** `last` has a message. It is called after all callers of this microtask. */
  remind(): void {
    if (this.#reminded) return;
    this.#reminded = true;
    queueMicrotask(() => {
      this.#reminded = false;
      this.#serve();
    });
  }

  /** Queued messages are still delivered. */
  end(): void {
    this.#ended = true;
    this.#serve();
  }

  /** Queued messages are discarded. */
  cut(): void {
    this.#messages.length = 0;
    this.end();
  }

  [Symbol.asyncIterator](): AsyncIterator<Message, undefined> {
    return {
      next: () => {
        const next = this.#take();
        if (next) return Promise.resolve(next);
        return new Promise((resolve) => {
          this.#reader = resolve;
        });
      },
    };
  }

  #serve(): void {
    const next = this.#reader && this.#take();
    if (!next) return;
    this.#reader?.(next);
    this.#reader = undefined;
  }

  /** Undefined while the queue is empty. */
  #take(): IteratorResult<Message, undefined> | undefined {
    const value = this.#messages.shift() ?? (this.#reminded ? undefined : this.#last());
    if (value !== undefined) return { done: false, value };
    return this.#ended ? { done: true, value: undefined } : undefined;
  }
}
