import { hash } from "node:crypto";
import {
  AgentManifestSchema,
  ContractSchema,
  SubmitTaskRequestSchema,
  TaskEnvelopeSchema,
} from "@baton/contract";
import type { JsonValue, Message } from "@bufbuild/protobuf";
import type { Content } from "../ports/store.ts";
import { cutField } from "./cut-field.ts";
import { type Finder, type Keeper, readMessage, writeMessage } from "./stored-value.ts";

export function digestOf(bytes: Uint8Array | string): string {
  return hash("sha256", bytes, "base64url");
}

/** Smaller messages stay in the text: a content of their own would cost more than they have bytes. */
export const longestInlineMessage = 256;

/** Messages that contain the contract, which is most of their bytes and mostly the same: it is stored once for all of them. */
const contractIn = new Map<string, number>(
  [TaskEnvelopeSchema, SubmitTaskRequestSchema].map(({ typeName, field }) => [
    typeName,
    field.contract.number,
  ]),
);

interface Kept {
  readonly stands: JsonValue;
  /** Values outside of the text. */
  readonly contents: readonly Content[];
}

/** Collects the messages and long texts of one pipeline by digest, each once. */
export class ContentKeeper implements Keeper {
  readonly #contents = new Map<string, Content>();
  /** A message that occurs twice, as an envelope does in its record and its command, is written once. */
  readonly #kept = new Map<Message, Kept>();

  get contents(): readonly Content[] {
    return [...this.#contents.values()];
  }

  message(message: Message): JsonValue {
    const known = this.#kept.get(message);
    if (known) return known.stands;
    const kept = write(message);
    this.#kept.set(message, kept);
    for (const content of kept.contents) this.#contents.set(content.digest, content);
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

/** Manifests occur in every dispatch to their agents, and do not change while these are connected. */
const manifests = new WeakMap<Message, Kept>();

function write(message: Message): Kept {
  if (message.$typeName !== AgentManifestSchema.typeName) return writeParts(message);
  const known = manifests.get(message);
  if (known) return known;
  const kept = writeParts(message);
  manifests.set(message, kept);
  return kept;
}

function writeParts(message: Message): Kept {
  const { $typeName } = message;
  const bytes = writeMessage(message);
  const number = contractIn.get($typeName);
  const cut = number === undefined ? undefined : cutField(bytes, number);
  if (!cut || cut.field.length <= longestInlineMessage) {
    const { digest, inline, contents } = place(bytes);
    return { stands: inline === undefined ? [$typeName, digest] : [$typeName, digest, inline], contents };
  }
  const { digest, inline = "", contents } = place(cut.rest);
  const contract = { digest: digestOf(cut.field), bytes: cut.field };
  return { stands: [$typeName, digest, inline, contract.digest], contents: [...contents, contract] };
}

interface Placed {
  /** Empty when the value is in the text. */
  readonly digest: string;
  readonly inline?: string;
  readonly contents: readonly Content[];
}

function place(bytes: Uint8Array): Placed {
  if (bytes.length <= longestInlineMessage) return { digest: "", inline: base64url(bytes), contents: [] };
  const digest = digestOf(bytes);
  return { digest, contents: [{ digest, bytes }] };
}

function base64url({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("base64url");
}

/** Finds the contents of a journal. Each message is decoded once and shared. */
export class ContentFinder implements Finder {
  readonly #contents: ReadonlyMap<string, Uint8Array>;
  readonly #messages = new Map<string, Message>();

  constructor(contents: ReadonlyMap<string, Uint8Array>) {
    this.#contents = contents;
  }

  message(kept: JsonValue): Message {
    const [typeName, digest, text, contract] = Array.isArray(kept) ? kept : [];
    if (typeof typeName !== "string" || typeof digest !== "string")
      throw new TypeError("no message is named");
    const key = `${typeName} ${digest || text} ${contract ?? ""}`;
    const known = this.#messages.get(key);
    if (known) return known;
    const isInline = digest === "" && typeof text === "string";
    const bytes = isInline ? Buffer.from(text, "base64url") : this.#find(digest);
    const message = readMessage(typeName, bytes);
    if (contract !== undefined)
      Object.assign(message, { contract: this.message([ContractSchema.typeName, contract]) });
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

/** Keeps everything in the text, for records without a pipeline. */
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
