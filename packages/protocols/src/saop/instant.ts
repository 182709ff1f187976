import { fromJson, toJson } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";

/** Instants are texts in SAOP and messages in the contract; protobuf's own JSON form is both, to the nanosecond. */
export function readInstant(text: string): Timestamp {
  return fromJson(TimestampSchema, text);
}

export function writeInstant(instant: Timestamp): string {
  return toJson(TimestampSchema, instant);
}
