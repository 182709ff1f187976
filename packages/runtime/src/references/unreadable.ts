/** Why a reference cannot be read, for the person who is asked and for the agent that gets it all the same. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

const longestReason = 500;

/** What may be told of a failure. What nobody foresaw is told by its code alone: its text may hold anything. */
export function reasonOf(error: unknown): string {
  if (error instanceof Unreadable) return error.message.slice(0, longestReason);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? `it could not be read: ${code}` : "it could not be read";
}
