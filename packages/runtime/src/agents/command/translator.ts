import {
  ContractError,
  decodeJson,
  type RunAgentResponse,
  RunAgentResponseSchema,
  type UsageSchema,
} from "@baton/contract";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Narrator } from "./narrator.ts";

export type Usage = Exclude<MessageInitShape<typeof UsageSchema>, { readonly $typeName: string }>;

/** Reads the output of one kind of command, for one attempt. */
export interface Translator {
  /** The messages of a line of standard output. */
  read(line: string): readonly RunAgentResponse[];
  /** The text with the answer; undefined when it may be anywhere in the output. */
  readonly answer: string | undefined;
  /** What it reports to have spent. */
  readonly usage: Usage | undefined;
  /** Its last message has come; it has no reason to run on. */
  readonly isDone: boolean;
  /** Its own error. */
  readonly fault: string | undefined;
}

export type MakeTranslator = (narrator: Narrator) => Translator;

/**
 * Any command: its output is published line by line. A line that is a message of the contract (RunAgentResponse in JSON: a
 * turn, an event, a step or a result) is taken as that message.
 */
export const plainText: MakeTranslator = (narrator) => ({
  read: (line) => {
    const message = readMessage(line);
    return message ? [message] : narrator.print("stdout", line);
  },
  answer: undefined,
  usage: undefined,
  isDone: false,
  fault: undefined,
});

const beginsAsMessage = /^\s*\{\s*"(?:turn|event|step|result)"\s*:\s*\{/;

function readMessage(line: string): RunAgentResponse | undefined {
  if (!beginsAsMessage.test(line)) return undefined;
  try {
    const message = decodeJson(RunAgentResponseSchema, line, { unknownFields: "ignore" });
    return message.message.case === "result" && !message.message.value.protocolVersion ? undefined : message;
  } catch (error) {
    if (error instanceof ContractError) return undefined;
    throw error;
  }
}
