import type { DescEnum, DescMessage, JsonObject } from "@bufbuild/protobuf";
import { enumSchema } from "./enum.ts";
import { messageSchema } from "./message.ts";
import { wellKnownSchema } from "./well-known.ts";

/** The schema of a message in protobuf's JSON form, complete in itself: what it refers to is in `$defs`. */
export function schemaDocument(message: DescMessage): JsonObject {
  const types = [...typesWithin(message)].toSorted((a, b) => (a.typeName < b.typeName ? -1 : 1));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `${message.typeName}.schema.json`,
    $comment:
      `Generated from proto/${message.file.proto.name} by \`npm run generate\`; not edited by hand. ` +
      "Properties that are not listed are allowed: a newer minor version of the contract may have added them.",
    ...messageSchema(message),
    ...(types.length > 0 && {
      $defs: Object.fromEntries(types.map((type) => [type.typeName, definition(type)])),
    }),
  };
}

function definition(type: DescMessage | DescEnum): JsonObject {
  if (type.kind === "enum") return enumSchema(type);
  return wellKnownSchema(type) ?? messageSchema(type);
}

/** Every type that a value of the message can hold, at any depth; the message itself only if it can hold itself. */
function typesWithin(message: DescMessage, found = new Set<DescMessage | DescEnum>()) {
  for (const { message: part, enum: names } of message.fields) {
    if (names !== undefined) found.add(names);
    if (part === undefined || found.has(part)) continue;
    found.add(part);
    if (wellKnownSchema(part) === undefined) typesWithin(part, found);
  }
  return found;
}
