/** What is to be sent on one stream, as the stream asks for it. */
export class Outgoing<Message> implements AsyncIterable<Message> {
  #waiting: Message[] = [];
  #ended = false;
  #wake = Promise.withResolvers<void>();

  push(message: Message): void {
    if (this.#ended) return;
    this.#waiting.push(message);
    this.#wake.resolve();
  }

  /** What was pushed is still sent. */
  end(): void {
    this.#ended = true;
    this.#wake.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message> {
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      yield* batch;
      if (this.#waiting.length > 0) continue;
      if (this.#ended) return;
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
  }
}
