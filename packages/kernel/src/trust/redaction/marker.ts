/** The text that replaces masked content. */
export function marker(kind: string): string {
  return `[redacted:${kind}]`;
}

/** Kinds of markers that no detector has. */
export const fieldKind = "field";
export const lineKind = "line";
/** A possible beginning of a secret, cut off before it was decided. Part of stored content. */
export const cutKind = "unheard-end";
/** A possible end of a secret without its beginning. Part of stored content. */
export const lateKind = "unheard-beginning";

export const cutMarker = "[cut]";
