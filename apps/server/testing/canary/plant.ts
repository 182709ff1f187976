import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { type DescField, type DescMessage, getOption, type JsonObject, ScalarType } from "@bufbuild/protobuf";
import { durationFromMs, timestampNow } from "@bufbuild/protobuf/wkt";
import { field as fieldOption } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Aviary } from "./kinds.ts";

/** Most kinds of canaries need less. */
const roomForOne = 32;

/** How many canaries stand in a text. */
const flock = 12;
const deepest = 7;

/** Names of fields that hold one word. */
const oneWord =
  /(?:_id|_key|_sha|_hash|path|version|uri|_type|_types|stages|tools|scopes|_by|locator|digest|commit|tool|role)$/;

/** Puts canaries wherever a message has room for a text, by its descriptor alone: a field that is added is planted too. */
export class Planter {
  readonly #aviary: Aviary;
  /** Digests of files. */
  readonly #written = new Set<string>();

  constructor(aviary: Aviary) {
    this.#aviary = aviary;
  }

  /** Writes a file as a user or an agent does. */
  writeFile(path: string, text: string): void {
    writeFileSync(path, text);
    this.#written.add(digestOf(Buffer.from(text)));
  }

  /** Whether it is what a user or an agent wrote into a file. */
  hasWritten(bytes: Uint8Array): boolean {
    return this.#written.has(digestOf(bytes));
  }

  /** One canary without white space in it. */
  word(at: string): string {
    return this.#aviary.make(at, { bare: true }).text;
  }

  /** One that may be a name where slashes part names. It stays as it is: changed, it would no longer look like a secret. */
  name(at: string): string {
    for (;;) {
      const word = this.word(at);
      if (!word.includes("/")) return word;
    }
  }

  /** One that fits where there is little room. */
  short(at: string, most: number): string {
    for (;;) {
      const word = this.word(at);
      if (word.length <= most) return word;
    }
  }

  /** Many canaries, each on a line of its own. */
  text(at: string): string {
    return Array.from({ length: flock }, () => this.#aviary.make(at, { bare: false }).text).join("\n");
  }

  json(at: string): JsonObject {
    return {
      note: this.text(`${at}.note`),
      db_password: this.word(`${at}.db_password`),
      list: [this.word(`${at}.list`), { nested: this.text(`${at}.nested`) }],
      [this.word(`${at} as a name`)]: "x",
    };
  }

  /** The fields of a message as `create` takes them. `arms` says which field of a oneof is filled. */
  message(
    schema: DescMessage,
    arms: Readonly<Record<string, string>> = {},
    at = schema.name,
    depth = 0,
  ): object {
    if (depth > deepest) return {};
    const filled: Record<string, unknown> = {};
    for (const field of schema.fields) {
      const place = `${at}.${field.name}`;
      const { oneof } = field;
      if (oneof && (arms[oneof.name] ?? oneof.fields[0]?.name) !== field.name) continue;
      const value = this.#field(field, arms, place, depth);
      if (value === undefined) continue;
      if (oneof) filled[oneof.localName] = { case: field.localName, value };
      else filled[field.localName] = value;
    }
    return filled;
  }

  #field(field: DescField, arms: Readonly<Record<string, string>>, at: string, depth: number): unknown {
    if (field.fieldKind === "list") {
      const item = this.#value(field, arms, at, depth);
      return item === undefined ? undefined : [item];
    }
    return field.fieldKind === "map" ? undefined : this.#value(field, arms, at, depth);
  }

  #value(field: DescField, arms: Readonly<Record<string, string>>, at: string, depth: number): unknown {
    if (field.message) return this.#nested(field.message, arms, at, depth);
    if (field.enum) return field.enum.values[1]?.number;
    if (field.scalar !== ScalarType.STRING) return undefined;
    const most = mostCharacters(field);
    if (most < roomForOne) return undefined;
    const value = oneWord.test(field.name) ? this.word(at) : this.text(at);
    return value.length <= most ? value : this.short(at, most);
  }

  #nested(schema: DescMessage, arms: Readonly<Record<string, string>>, at: string, depth: number): unknown {
    switch (schema.typeName) {
      case "google.protobuf.Timestamp":
        return timestampNow();
      case "google.protobuf.Duration":
        return durationFromMs(1_000);
      case "google.protobuf.Struct":
        return this.json(at);
      default:
        return this.message(schema, arms, at, depth + 1);
    }
  }
}

/** What the contract allows in the field. */
function mostCharacters(field: DescField): number {
  const { type } = getOption(field, fieldOption);
  const maxLen = type.case === "string" ? type.value.maxLen : 0n;
  return maxLen > 0n ? Number(maxLen) : Number.POSITIVE_INFINITY;
}

function digestOf(bytes: Uint8Array): string {
  return hash("sha256", bytes);
}
