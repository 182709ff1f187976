import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { readers } from "../../gen/plain/read-messages.ts";
import type { Limits } from "../limits.ts";
import { PlainBytes } from "./plain-bytes.ts";

/**
 * Reads a message as most of them are: of a type of the contract, of fields that are known here, each in its own wire type,
 * none that is to be merged with another, within all limits. Undefined when there is anything else about it.
 *
 * I1. What it gives is what protobuf-es gives for the same bytes, and `scanWire` finds no fault with them.
 * I2. Undefined says only that the long way has to be taken, which also has the words for what is wrong.
 */
export function decodePlain<Desc extends DescMessage>(
  { typeName }: Desc,
  bytes: Uint8Array,
  limits: Limits,
): MessageShape<Desc> | undefined {
  const read = readers.get(typeName);
  if (read === undefined) return undefined;
  try {
    const reading = { from: new PlainBytes(bytes), limits, elements: 0 };
    return read(reading, bytes.length, 1) as MessageShape<Desc>;
  } catch {
    return undefined; // The full decoder reports the fault.
  }
}
