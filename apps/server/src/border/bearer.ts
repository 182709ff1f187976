/** What the header `authorization: Bearer <credential>` carries; empty when it carries something else. */
export function bearerOf(authorization: string | null | undefined): string | undefined {
  if (authorization === null || authorization === undefined || authorization === "") return undefined;
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
}
