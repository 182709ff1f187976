import { ErrorDetailSchema } from "@baton/contract";
import { type DescMessage, type Message, type MessageShape, toBinary, toJson } from "@bufbuild/protobuf";
import { ConnectError, type Interceptor } from "@connectrpc/connect";

/** Everything that came out of the hub, by the way it came. */
export class Capture {
  readonly #channels = new Map<string, (string | Uint8Array)[]>();

  add(channel: string, content: string | Uint8Array): void {
    const known = this.#channels.get(channel);
    if (known) known.push(content);
    else this.#channels.set(channel, [content]);
  }

  /** In both of its forms: bytes, and the text that people see. */
  message<Desc extends DescMessage>(channel: string, schema: Desc, message: MessageShape<Desc>): void {
    this.add(channel, toBinary(schema, message));
    this.add(channel, JSON.stringify(toJson(schema, message)));
  }

  error(channel: string, thrown: unknown): void {
    const error = ConnectError.from(thrown);
    this.add(channel, error.rawMessage);
    this.add(channel, JSON.stringify([...error.metadata]));
    for (const detail of error.findDetails(ErrorDetailSchema))
      this.message(channel, ErrorDetailSchema, detail);
  }

  get channels(): ReadonlyMap<string, readonly (string | Uint8Array)[]> {
    return this.#channels;
  }

  /** For clients of Connect: whatever they get is kept. */
  get interceptor(): Interceptor {
    return (next) => async (request) => {
      const { name, output } = request.method;
      try {
        const response = await next(request);
        this.add(`answer ${name}`, JSON.stringify([...response.header, ...response.trailer]));
        if (!response.stream) {
          this.message(`answer ${name}`, output, response.message as Message as never);
          return response;
        }
        return {
          ...response,
          message: this.#follow(`event ${name}`, `error ${name}`, output, response.message),
        };
      } catch (thrown) {
        this.error(`error ${name}`, thrown);
        throw thrown;
      }
    };
  }

  async *#follow<Desc extends DescMessage>(
    channel: string,
    errors: string,
    schema: Desc,
    messages: AsyncIterable<MessageShape<Desc>>,
  ): AsyncIterable<MessageShape<Desc>> {
    try {
      for await (const message of messages) {
        this.message(channel, schema, message);
        yield message;
      }
    } catch (thrown) {
      this.error(errors, thrown);
      throw thrown;
    }
  }
}
