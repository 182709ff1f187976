import { hash } from "node:crypto";
import { AgentManifestSchema } from "@baton/contract";
import type { JsonValue, Message } from "@bufbuild/protobuf";
import type { Content } from "../ports/store.ts";
import { type Finder, type Keeper, readMessage, writeMessage } from "./stored-value.ts";

export function digestOf(bytes: Uint8Array | string): string {
  return hash("sha256", bytes, "base64url");
}

/** Small messages stand in the text itself: to keep them apart costs more than they are long. */
export const longestInlineMessage = 256;

interface Kept {
  readonly stands: JsonValue;
  /** Undefined when it stands in the text. */
  readonly content: Content | undefined;
}

/** Keeps messages and long texts of one pipeline by their digest, each once. */
export class ContentKeeper implements Keeper {
  readonly #contents = new Map<string, Content>();
  /** A message that is named again, as an envelope is by its record and by its command, is not written again. */
  readonly #kept = new Map<Message, Kept>();

  get contents(): readonly Content[] {
    return [...this.#contents.values()];
  }

  message(message: Message): JsonValue {
    const known = this.#kept.get(message);
    if (known) return known.stands;
    const kept = write(message);
    this.#kept.set(message, kept);
    if (kept.content) this.#contents.set(kept.content.digest, kept.content);
    return kept.stands;
  }

  text(text: string): JsonValue {
    return this.#keep(Buffer.from(text)).digest;
  }

  #keep(bytes: Uint8Array): Content {
    const digest = digestOf(bytes);
    const content = this.#contents.get(digest) ?? { digest, bytes };
    this.#contents.set(digest, content);
    return content;
  }
}

/** Manifests come up in every dispatch to their agents, and stay as they are for as long as those are there. */
const manifests = new WeakMap<Message, Kept>();

function write(message: Message): Kept {
  if (message.$typeName !== AgentManifestSchema.typeName) return writeAnew(message);
  const known = manifests.get(message);
  if (known) return known;
  const kept = writeAnew(message);
  manifests.set(message, kept);
  return kept;
}

function writeAnew(message: Message): Kept {
  const bytes = writeMessage(message);
  return bytes.length <= longestInlineMessage ? inline(message, bytes) : apart(message, bytes);
}

function apart({ $typeName }: Message, bytes: Uint8Array): Kept {
  const content = { digest: digestOf(bytes), bytes };
  return { stands: [$typeName, content.digest], content };
}

/** A third word, where others have only the digest. */
function inline({ $typeName }: Message, bytes: Uint8Array): Kept {
  return { stands: [$typeName, "", base64url(bytes)], content: undefined };
}

function base64url({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("base64url");
}

/** Finds what a journal refers to. The same message is read once, so that those who share it share it again. */
export class ContentFinder implements Finder {
  readonly #contents: ReadonlyMap<string, Uint8Array>;
  readonly #messages = new Map<string, Message>();

  constructor(contents: ReadonlyMap<string, Uint8Array>) {
    this.#contents = contents;
  }

  message(kept: JsonValue): Message {
    const [typeName, digest, text] = Array.isArray(kept) ? kept : [];
    if (typeof typeName !== "string" || typeof digest !== "string")
      throw new TypeError("no message is named");
    const key = `${typeName} ${digest || text}`;
    const known = this.#messages.get(key);
    if (known) return known;
    const isInline = digest === "" && typeof text === "string";
    const bytes = isInline ? Buffer.from(text, "base64url") : this.#find(digest);
    const message = readMessage(typeName, bytes);
    this.#messages.set(key, message);
    return message;
  }

  text(kept: JsonValue): string {
    if (typeof kept !== "string") throw new TypeError("no text is named");
    return Buffer.from(this.#find(kept)).toString("utf8");
  }

  #find(digest: string): Uint8Array {
    const bytes = this.#contents.get(digest);
    if (!bytes) throw new TypeError(`the store has no content with digest ${digest}`);
    return bytes;
  }
}

/** Keeps everything in the text itself, for what belongs to no pipeline. */
export const inlineKeeper: Keeper = {
  message: (message) => [message.$typeName, base64url(writeMessage(message))],
  text: (text) => text,
};

export const inlineFinder: Finder = {
  message: (kept) => {
    const [typeName, text] = Array.isArray(kept) ? kept : [];
    if (typeof typeName !== "string" || typeof text !== "string") throw new TypeError("there is no message");
    return readMessage(typeName, Buffer.from(text, "base64url"));
  },
  text: (kept) => {
    if (typeof kept !== "string") throw new TypeError("there is no text");
    return kept;
  },
};
