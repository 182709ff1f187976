/** A text as it stands in a filter of a list: docs/reference/api.md#lists. */
export function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
