/** The UTF-8 bytes of a text. Throws a URIError for a lone surrogate. */
export function utf8(text: string): readonly number[] {
  const bytes: number[] = [];
  const escaped = encodeURIComponent(text);
  for (let at = 0; at < escaped.length; at++) {
    if (escaped[at] === "%") {
      bytes.push(Number.parseInt(escaped.slice(at + 1, at + 3), 16));
      at += 2;
    } else {
      bytes.push(escaped.charCodeAt(at));
    }
  }
  return bytes;
}

export function hex(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `encodeURIComponent` keeps these characters; stricter encoders do not. */
export function urlEncodings(text: string): readonly string[] {
  const encoded = encodeURIComponent(text);
  const strict = encoded.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = strict.replaceAll("%20", "+");
  return [encoded, strict, form].flatMap((encoded) => [
    encoded,
    encoded.replace(/%../g, (byte) => byte.toLowerCase()),
  ]);
}

/** The text within quotes in JSON, and in JSON within JSON. */
export function jsonEncodings(text: string): readonly string[] {
  const once = JSON.stringify(text).slice(1, -1);
  return [once, JSON.stringify(once).slice(1, -1), once.replaceAll("/", "\\/")];
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * The base64 of the bytes at every offset in a longer text, reduced to the characters that depend on them alone. At an
 * offset, the characters before and after also carry some of their bits.
 */
export function base64Encodings(bytes: readonly number[]): readonly { text: string; precededBy: number }[] {
  return [0, 1, 2].map((offset) => {
    const bits = [...Array<number>(offset).fill(0), ...bytes].flatMap((byte) =>
      [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >> bit) & 1),
    );
    const [first, last] = [Math.ceil((offset * 8) / 6), Math.floor(bits.length / 6)];
    let text = "";
    for (let at = first; at < last; at++) {
      text += alphabet[bits.slice(at * 6, at * 6 + 6).reduce((sum, bit) => sum * 2 + bit, 0)];
    }
    return { text, precededBy: offset === 0 ? 0 : 1 };
  });
}

export function toBase64Url(text: string): string {
  return text.replaceAll("+", "-").replaceAll("/", "_");
}
