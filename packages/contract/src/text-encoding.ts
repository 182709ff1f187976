import { configureTextEncoding, getTextEncoding } from "@bufbuild/protobuf/wire";

/** In every runtime that the contract runs in, and in no library of types that both Node and browsers share. */
declare class TextDecoder {
  constructor(label: "utf-8", options: { fatal: boolean; ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}

const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * By default a decoder takes a byte order mark at the start of a string for a remark about the encoding and drops it.
 * In a field it is text like any other, and a thought is kept as it was produced (SAOP §1).
 */
export function keepByteOrderMarks(): void {
  configureTextEncoding({ ...getTextEncoding(), decodeUtf8: (bytes) => exact.decode(bytes) });
}

const lenient = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Text of a program, which may print anything: what is no text is told as such. */
export function decodeAnything(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}

/** Text of a whole document, where a byte order mark is such a remark. */
export function decodeDocument(bytes: Uint8Array): string {
  const text = exact.decode(bytes);
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
