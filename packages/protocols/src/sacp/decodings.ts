/** Forms in which a text holds the answer as another text. */
import type { LibertyKind } from "./reading.ts";

interface Decoding {
  readonly kind: LibertyKind;
  /** Undefined when the text is not in this form. */
  decode(text: string): string | undefined;
}

export const decodings: readonly Decoding[] = [
  { kind: "missing brace", decode: addBrace },
  { kind: "double-encoded", decode: decodeString },
  { kind: "HTML entities", decode: decodeEntities },
];

/** The beginning is missing where the prompt began the answer for the model. */
function addBrace(text: string): string | undefined {
  const start = /^[\s\ufeff]*(?:```(?:json)?\s*)?(["'“]?)(thought|status|data|message)(["'”])\s*:/.exec(text);
  if (!start) return undefined;
  return (start[1] === "" ? '{"' : "{") + text.trimStart().replace(/^```(?:json)?\s*/, "");
}

/** A JSON string, or a part of one. */
function decodeString(text: string): string | undefined {
  if (!/\{\s*(?:\\n|\\t|\\r|\s)*\\+"/.test(text)) return undefined;
  try {
    const decoded: unknown = JSON.parse(text);
    if (typeof decoded === "string") return decoded;
  } catch {
    // Not all of the text is the string.
  }
  return text.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g,
    (whole, code: string | undefined, mark: string) =>
      code === undefined ? (escapes[mark] ?? whole) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const escapes: Readonly<Record<string, string>> = {
  ...{ '"': '"', "\\": "\\", "/": "/", n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" },
};

function decodeEntities(text: string): string | undefined {
  if (!/\{\s*&(?:quot|#34|#x22);/i.test(text)) return undefined;
  return text.replaceAll(/&(quot|apos|lt|gt|amp|#34|#39|#x22|#x27);/gi, (_whole, name: string) => {
    return entities[name.toLowerCase()] ?? "";
  });
}

const entities: Readonly<Record<string, string>> = {
  ...{ quot: '"', "#34": '"', "#x22": '"', apos: "'", "#39": "'", "#x27": "'" },
  ...{ lt: "<", gt: ">", amp: "&" },
};
