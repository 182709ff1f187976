/** What stands in the text instead of what was masked. */
export function marker(kind: string): string {
  return `[redacted:${kind}]`;
}

/** Kinds of markers that no detector has. */
export const fieldKind = "field";
export const lineKind = "line";

export const cutMarker = "[cut]";
