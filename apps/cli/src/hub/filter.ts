/** A text as it stands in a filter: in quotes, whatever it holds. */
export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** All that are given have to hold. */
export function all(...terms: readonly (string | undefined)[]): string {
  return terms.filter((term) => term).join(" AND ");
}
