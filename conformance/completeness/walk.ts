/** Walks over what is in a message, for tests that ask what the vectors cover. */
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";

/** A message inside a vector, and the path that leads to it. */
export interface Visited {
  readonly path: string;
  readonly message: ReflectMessage;
}

/** The message itself, then every message inside it. */
export function walk(schema: DescMessage, message: Message): Visited[] {
  const found: Visited[] = [];
  visit("", reflect(schema, message), found);
  return found;
}

export function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function visit(path: string, message: ReflectMessage, found: Visited[]): void {
  found.push({ path, message });
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    for (const [at, inner] of messagesOf(message, field)) visit(join(path, at), inner, found);
  }
}

function messagesOf(
  message: ReflectMessage,
  field: DescField,
): (readonly [at: string, inner: ReflectMessage])[] {
  if (field.fieldKind === "message") return [[field.name, message.get(field)]];
  if (field.fieldKind === "list" && field.listKind === "message") {
    return [...message.get(field)].map((inner, index) => [
      `${field.name}[${index}]`,
      inner as ReflectMessage,
    ]);
  }
  if (field.fieldKind === "map" && field.mapKind === "message") {
    return [...message.get(field)].map(([key, inner]) => [
      `${field.name}[${JSON.stringify(key)}]`,
      inner as ReflectMessage,
    ]);
  }
  return [];
}
