/**
 * Messages on their way to a watcher or an agent: bounded, so that a slow reader costs no memory. There is one reader:
 * when it waits, a message goes straight to it.
 */
export class Outgoing<Message> implements AsyncIterable<Message> {
  readonly #messages: Message[] = [];
  readonly #limit: number;
  readonly #last: () => Message | undefined;
  #reader: ((next: IteratorResult<Message, undefined>) => void) | undefined;
  #reminded = false;
  #ended = false;

  /** `last` is asked for one more message each time all others have left: what many small ones can be said as. */
  constructor(limit: number, last: () => Message | undefined = () => undefined) {
    this.#limit = limit;
    this.#last = last;
  }

  get length(): number {
    return this.#messages.length;
  }

  /** False when it is full or over. */
  push(message: Message): boolean {
    if (this.#ended || this.#messages.length >= this.#limit) return false;
    this.#messages.push(message);
    this.#serve();
    return true;
  }

  /** The last message has something to say. It waits until all who are about to remind have done so. */
  remind(): void {
    if (this.#reminded) return;
    this.#reminded = true;
    queueMicrotask(() => {
      this.#reminded = false;
      this.#serve();
    });
  }

  /** What was pushed before still leaves. */
  end(): void {
    this.#ended = true;
    this.#serve();
  }

  /** What was pushed before does not leave any more. */
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

  /** Undefined when there is nothing yet. */
  #take(): IteratorResult<Message, undefined> | undefined {
    const value = this.#messages.shift() ?? (this.#reminded ? undefined : this.#last());
    if (value !== undefined) return { done: false, value };
    return this.#ended ? { done: true, value: undefined } : undefined;
  }
}
