import { configureTextEncoding, getTextEncoding } from "@bufbuild/protobuf/wire";

/** In every runtime that the contract runs in, and in no library of types that both Node and browsers share. */
declare class TextDecoder {
  constructor(label: "utf-8", options: { fatal: boolean; ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}

const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Keeps a byte order mark, which a decoder drops by default: in a field it is text, and a thought is kept as it was
 * produced (SAOP §1).
 */
export function keepByteOrderMarks(): void {
  configureTextEncoding({ ...getTextEncoding(), decodeUtf8: (bytes) => exact.decode(bytes) });
}

const lenient = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Text of a program, which may print anything: invalid bytes become replacement characters. */
export function decodeAnything(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}

/** Text of a whole document, without its byte order mark. */
export function decodeDocument(bytes: Uint8Array): string {
  const text = exact.decode(bytes);
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
