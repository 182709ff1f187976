import { limits } from "../../limits.ts";
import type { Session } from "../../session.ts";

/** Says that a list has more rows, and how to see them. */
export function printMore(session: Pick<Session, "printNote">, limit: number): void {
  const next = Math.min(limit * 2, limits.listRows);
  session.printNote(
    next > limit
      ? `there are more rows: use --limit ${next}`
      : `there are more rows; ${limits.listRows} is the maximum`,
  );
}
