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

/** Reads what one kind of command prints. One is made for every attempt. */
export interface Translator {
  /** What a line of standard output says. */
  read(line: string): readonly RunAgentResponse[];
  /** The text in which the answer is; undefined when it may be anywhere in the output. */
  readonly answer: string | undefined;
  /** What it says it has spent. */
  readonly usage: Usage | undefined;
  /** It has said its last word, and has no reason to go on. */
  readonly isDone: boolean;
  /** What it says went wrong. */
  readonly fault: string | undefined;
}

export type MakeTranslator = (narrator: Narrator) => Translator;

/**
 * Any command: what it prints is shown line by line. A line that is a whole message of the contract (RunAgentResponse in
 * JSON: a turn, an event or a result) is taken for that, so a command may also speak Baton's own language.
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

const beginsAsMessage = /^\s*\{\s*"(?:turn|event|result)"\s*:\s*\{/;

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
