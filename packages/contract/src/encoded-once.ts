import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import {
  type AttachAgentResponse,
  AttachAgentResponseSchema,
} from "../gen/vasini/agent/v1/registry_service_pb.js";
import { encodeBinary } from "./codec.ts";

/** By message, for as long as it lives. */
const written = new WeakMap<Message, Uint8Array>();

/**
 * The binary form of a message that is not changed once it is made: worked out at the first call, and the same bytes at
 * every other one. Nobody may write to them.
 */
export function encodedOnce<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Uint8Array {
  const known = written.get(message);
  if (known) return known;
  const bytes = encodeBinary(schema, message);
  written.set(message, bytes);
  return bytes;
}

/**
 * The binary form of what the hub says to an agent. An envelope that `encodedOnce` has seen, because the journal keeps
 * it, is not encoded anew: its bytes go behind their length, as they are.
 */
export function encodeAttachAgentResponse(response: AttachAgentResponse): Uint8Array {
  const { message, $unknown } = response;
  const envelope = message.case === "dispatch" && !$unknown ? written.get(message.value) : undefined;
  return envelope ? delimited(dispatchTag, envelope) : encodeBinary(AttachAgentResponseSchema, response);
}

const lengthDelimited = 2;
const dispatchTag = AttachAgentResponseSchema.field.dispatch.number * 8 + lengthDelimited;

/** A field of bytes whose length comes first. A tag has one byte: its field's number is below 16. */
function delimited(tag: number, bytes: Uint8Array): Uint8Array {
  const length: number[] = [];
  for (let rest = bytes.length; ; rest = Math.floor(rest / 128)) {
    length.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) break;
  }
  const field = new Uint8Array(1 + length.length + bytes.length);
  field[0] = tag;
  field.set(length, 1);
  field.set(bytes, 1 + length.length);
  return field;
}
