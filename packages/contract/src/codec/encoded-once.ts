import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import {
  type AttachAgentResponse,
  AttachAgentResponseSchema,
} from "../../gen/vasini/agent/v1/registry_service_pb.js";
import { encodeBinary } from "./codec.ts";

/** By message, for as long as it lives. */
const written = new WeakMap<Message, Uint8Array>();

/**
 * The cached binary form of an immutable message. Callers must not write to the bytes.
 */
export function encodedOnce<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Uint8Array {
  const known = written.get(message);
  if (known) return known;
  const bytes = encodeBinary(schema, message);
  written.set(message, bytes);
  return bytes;
}

/**
 * The binary form of a message to an agent, in one or two chunks. An envelope that the journal has encoded with
 * `encodedOnce` is neither encoded nor copied again.
 */
export function encodeAttachAgentResponse(response: AttachAgentResponse): readonly Uint8Array[] {
  const { message, $unknown } = response;
  const envelope = message.case === "dispatch" && !$unknown ? written.get(message.value) : undefined;
  return envelope
    ? [prefixOf(dispatchTag, envelope.length), envelope]
    : [encodeBinary(AttachAgentResponseSchema, response)];
}

const lengthDelimited = 2;
const dispatchTag = AttachAgentResponseSchema.field.dispatch.number * 8 + lengthDelimited;

/** Tag and length of a field of bytes. The tag is one byte: the field number is below 16. */
function prefixOf(tag: number, length: number): Uint8Array {
  const prefix = [tag];
  let rest = length;
  for (; rest >= 128; rest = Math.floor(rest / 128)) prefix.push((rest % 128) + 128);
  prefix.push(rest);
  return Uint8Array.from(prefix);
}
