/** What is on its way up a stream: the hub takes it when it comes to it. */
export class Mailbox<Message> implements AsyncIterable<Message> {
  readonly #messages: Message[] = [];
  #wake: (() => void) | undefined;

  push(message: Message): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message> {
    for (;;) {
      const next = this.#messages.shift();
      if (next !== undefined) yield next;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
