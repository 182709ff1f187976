import { type AttachAgentRequest, AttachAgentRequestSchema } from "@baton/contract";
import { toBinary } from "@bufbuild/protobuf";

export interface Noted {
  /** This message was received before. */
  readonly isRepeated: boolean;
  readonly complaint?: string;
}

/** The numbers of one session: none is used for two messages, and hello comes after all that were used. */
export class SessionNumbers {
  readonly #used = new Map<bigint, Buffer>();
  #last = 0n;

  note(request: AttachAgentRequest): Noted {
    const { sequence, message } = request;
    const bytes = Buffer.from(toBinary(AttachAgentRequestSchema, request));
    const before = this.#used.get(sequence);
    if (before) {
      const isRepeated = before.equals(bytes);
      return isRepeated ? { isRepeated } : wrong(`${message.case} has number ${sequence} of another message`);
    }
    const last = this.#last;
    this.#used.set(sequence, bytes);
    if (sequence > last) this.#last = sequence;
    else if (message.case === "hello") return wrong(`hello has number ${sequence}, though ${last} was used`);
    return { isRepeated: false };
  }
}

function wrong(complaint: string): Noted {
  return { isRepeated: false, complaint };
}
