import { type AttachAgentRequest, AttachAgentRequestSchema } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

type Message = Exclude<MessageInitShape<typeof AttachAgentRequestSchema>["message"], undefined>;

export interface Saying {
  /** The attempt that it is about. */
  readonly dispatchId?: string;
  /** How often the same message leaves, every time under the same number. */
  readonly times?: number;
}

/** What one stream says, each message under a number of its own, and some of them more than once. */
export class RepeatingStream implements AsyncIterable<AttachAgentRequest> {
  readonly #waiting: AttachAgentRequest[] = [];
  #sequence = 0n;
  #ended = false;
  #wake = Promise.withResolvers<void>();

  /** Whether it has said hello, and has not ended. */
  get isOpen(): boolean {
    return this.#sequence > 0n && !this.#ended;
  }

  /** Gives the number of the message. */
  say(message: Message, { dispatchId = "", times = 1 }: Saying = {}): bigint {
    this.#sequence++;
    const request = create(AttachAgentRequestSchema, { sequence: this.#sequence, dispatchId, message });
    for (let time = 0; time < times; time++) this.#waiting.push(request);
    this.#wake.resolve();
    return this.#sequence;
  }

  end(): void {
    this.#ended = true;
    this.#wake.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AttachAgentRequest> {
    while (!this.#ended) {
      yield* this.#waiting.splice(0);
      if (this.#waiting.length > 0) continue;
      this.#wake = Promise.withResolvers();
      if (!this.#ended) await this.#wake.promise;
    }
  }
}
