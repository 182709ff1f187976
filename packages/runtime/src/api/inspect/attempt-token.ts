import { badQuery } from "../../query/filter.ts";

/** The attempt number at the end of the dispatch id. */
export function numberOf(dispatchId: string): number {
  return Number(dispatchId.slice(dispatchId.lastIndexOf("/") + 1)) || 0;
}

/** The token names the last item before the next page: its attempt, and its index there. */
export function writeToken(dispatchId: string, index: number): string {
  return Buffer.from(JSON.stringify([dispatchId, index])).toString("base64url");
}

export function readToken(token: string, attempts: readonly string[]): readonly [string, number] {
  const [dispatchId, index] = parse(token);
  if (typeof dispatchId === "string" && Number.isSafeInteger(index) && attempts.includes(dispatchId))
    return [dispatchId, Number(index)];
  throw badQuery("page_token", "is not of this list; start again without it");
}

function parse(token: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
