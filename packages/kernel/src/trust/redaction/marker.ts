/** The text that replaces masked content. */
export function marker(kind: string): string {
  return `[redacted:${kind}]`;
}

/** Kinds of markers that no detector has. */
export const fieldKind = "field";
export const lineKind = "line";
/** A possible beginning of a secret that was cut off before it could be decided. */
export const cutKind = "unheard-end";
/** A possible end of a secret whose beginning is missing. */
export const lateKind = "unheard-beginning";

export const cutMarker = "[cut]";
