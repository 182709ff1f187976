import { Mailbox } from "@baton/agent/testing";
import {
  type AttachAgentRequest,
  type AttachAgentResponse,
  AttachAgentResponseSchema,
  type AttachHello,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

export type HubMessage = NonNullable<MessageInitShape<typeof AttachAgentResponseSchema>["message"]>;

/** One stream of an attached agent, as the hub sees it. */
export class AgentStream {
  readonly hello: AttachHello;
  /** Everything after hello. */
  readonly received: AttachAgentRequest[] = [];
  readonly outgoing = new Mailbox<AttachAgentResponse>();
  isWelcomed = false;
  isOpen = true;

  constructor(hello: AttachHello) {
    this.hello = hello;
  }

  say(message: HubMessage): void {
    this.outgoing.put(create(AttachAgentResponseSchema, { message }));
  }

  /** Ends the stream after all sent messages. */
  end(): void {
    this.isOpen = false;
    this.outgoing.end();
  }

  /** The number under which the result of an attempt was received on this stream. */
  sequenceOf(dispatchId: string): bigint | undefined {
    return this.received.find(
      ({ message }) => message.case === "result" && message.value.dispatchId === dispatchId,
    )?.sequence;
  }
}
