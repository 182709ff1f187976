import type { DescMessage, Message } from "@bufbuild/protobuf";
import { writers } from "../../gen/plain/write-messages.ts";
import { PlainWriter } from "./plain-writer.ts";

/**
 * Writes a message as most of them are: not large, of a type of the contract, of fields that are known here, with values of
 * their types. Undefined when there is anything else about it.
 *
 * I1. What it gives is byte for byte what protobuf-es gives for the same message, if that is the same whenever it is looked
 *     at.
 * I2. Undefined says only that the long way has to be taken, which also has the words for what is wrong.
 */
export function encodePlain({ typeName }: DescMessage, message: Message): Uint8Array | undefined {
  const write = writers.get(typeName);
  // Somebody may be writing already: a message that computes its own fields.
  if (write === undefined || to.at !== 0) return undefined;
  try {
    write(to, message as never);
    return to.written();
  } catch {
    return undefined; // The full encoder reports the fault.
  } finally {
    to.at = 0;
  }
}

const to = new PlainWriter();
