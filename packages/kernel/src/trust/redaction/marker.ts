/** What stands in the text instead of what was masked. */
export function marker(kind: string): string {
  return `[redacted:${kind}]`;
}

/** Kinds of markers that no detector has. */
export const fieldKind = "field";
export const lineKind = "line";
/** What may be the beginning of a secret, and was cut off before it could be told. */
export const cutKind = "unheard-end";
/** What may be the end of a secret whose beginning nobody has heard. */
export const lateKind = "unheard-beginning";

export const cutMarker = "[cut]";
