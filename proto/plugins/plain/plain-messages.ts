/** The messages that there is code for: those of the contract, and those of protobuf's own that they contain. */
import { type DescField, type DescFile, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";

/** Of protobuf's own messages, those that are written and read as any other. */
const ownAndPlain = new Set(["google.protobuf.Timestamp", "google.protobuf.Duration"]);

export type Kind = "text" | "bytes" | "bool" | "int32" | "int64" | "double" | "data" | DescMessage;

const scalars: Partial<Record<ScalarType, Kind>> = {
  [ScalarType.STRING]: "text",
  [ScalarType.BYTES]: "bytes",
  [ScalarType.BOOL]: "bool",
  [ScalarType.INT32]: "int32",
  [ScalarType.INT64]: "int64",
  [ScalarType.DOUBLE]: "double",
};

/** What a field has in it. Undefined for what the contract does not have: nobody has needed code for it yet. */
export function kindOf(field: DescField): Kind | undefined {
  const { message, enum: described, scalar, fieldKind } = field;
  const isOdd = fieldKind === "map" || ("delimitedEncoding" in field && field.delimitedEncoding);
  if (isOdd || ("packed" in field && field.packed)) return undefined;
  if ("longAsString" in field && field.longAsString) return undefined;
  if (described) return described.open && described.values[0]?.number === 0 ? "int32" : undefined;
  if (!message) return scalar === undefined ? undefined : scalars[scalar];
  if (message.typeName === "google.protobuf.Struct") return "data";
  return message.file.proto.package === "google.protobuf" && !ownAndPlain.has(message.typeName)
    ? undefined
    : message;
}

const [varint, bits64, delimited] = [0, 1, 2];

export function tagOf(field: DescField, kind: Kind): number {
  const wireType =
    kind === "double" ? bits64 : kind === "bool" || kind === "int32" || kind === "int64" ? varint : delimited;
  return 8 * field.number + wireType;
}

/** Whether a value that is zero is left out, and one that is left out is zero. */
export function isImplicit({ presence }: DescField): boolean {
  return presence === FeatureSet_FieldPresence.IMPLICIT;
}

/** By name, without the same one twice. */
export function messagesOf(files: readonly DescFile[]): readonly DescMessage[] {
  const found = new Map<string, DescMessage>();
  const add = (message: DescMessage) => {
    const name = nameOf(message);
    const known = found.get(name);
    if (known && known.typeName !== message.typeName)
      throw new Error(`${known.typeName} and ${message.typeName} would have the same name`);
    if (known) return;
    found.set(name, message);
    for (const field of message.fields) {
      const kind = kindOf(field);
      if (typeof kind === "object") add(kind);
    }
  };
  for (const file of files)
    for (const type of nestedTypes(file)) if (type.kind === "message" && isMade(type)) add(type);
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, message]) => message);
}

/** There is no type for the entries of a map. */
function isMade({ proto }: DescMessage): boolean {
  return proto.options?.mapEntry !== true;
}

/** As protobuf-es calls the type. */
export function nameOf({ typeName, file }: DescMessage): string {
  return typeName.slice(file.proto.package.length + 1).replaceAll(".", "_");
}

/** Where the types come from, one line for each file. */
export function typeImports(messages: readonly DescMessage[]): string {
  const byFile = new Map<string, string[]>();
  for (const message of messages) {
    const { file } = message;
    const from =
      file.proto.package === "google.protobuf" ? "@bufbuild/protobuf/wkt" : `../${file.name}_pb.js`;
    byFile.set(from, [...(byFile.get(from) ?? []), nameOf(message)]);
  }
  const lines = [...byFile].map(
    ([from, names]) =>
      `import type {\n${names
        .sort()
        .map((name) => `  ${name},\n`)
        .join("")}} from "${from}";\n`,
  );
  return lines.sort().join("");
}

export const header = "// Written by protoc-gen-plain from the proto files. Do not edit.\n";
