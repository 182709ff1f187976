import { create, type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { type Empty, EmptySchema } from "@bufbuild/protobuf/wkt";

/** A message as bytes that the wire does not look into: an empty one keeps every field it does not know. */
export function raw<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Empty {
  return fromBinary(EmptySchema, toBinary(schema, message));
}

/** A field that should hold a message, and holds something else. */
export function babble(field: number): Empty {
  const lengthDelimited = 2;
  const data = Uint8Array.of(4, 0xff, 0xff, 0xff, 0xff);
  return Object.assign(create(EmptySchema), {
    $unknown: [{ no: field, wireType: lengthDelimited, data }],
  });
}
