/** A quoted string of the filter language. */
export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Joins the given terms with AND. */
export function all(...terms: readonly (string | undefined)[]): string {
  return terms.filter((term) => term).join(" AND ");
}
