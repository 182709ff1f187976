import { type AttachAgentRequest, AttachAgentRequestSchema } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

type Message = Exclude<MessageInitShape<typeof AttachAgentRequestSchema>["message"], undefined>;

export interface SendOptions {
  /** The attempt of the message. */
  readonly dispatchId?: string;
  /** How often the message is sent, with the same number. */
  readonly times?: number;
}

/** The outgoing messages of one stream, each numbered, some of them repeated. */
export class RepeatingStream implements AsyncIterable<AttachAgentRequest> {
  readonly #waiting: AttachAgentRequest[] = [];
  #sequence = 0n;
  #ended = false;
  #wake = Promise.withResolvers<void>();

  /** Whether hello was sent, and the stream has not ended. */
  get isOpen(): boolean {
    return this.#sequence > 0n && !this.#ended;
  }

  /** Returns the number of the message. */
  send(message: Message, { dispatchId = "", times = 1 }: SendOptions = {}): bigint {
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
