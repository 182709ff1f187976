/** A reference cannot be read. The reason goes to the reviewing person and to the agent. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

const maxReasonLength = 500;

/**
 * The publishable reason of a failure. Unexpected errors are reduced to their code, because their text may contain
 * secrets.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof Unreadable) return error.message.slice(0, maxReasonLength);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? `it could not be read: ${code}` : "it could not be read";
}
