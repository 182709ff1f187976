import { limits } from "../../limits.ts";
import type { Session } from "../../session.ts";

/** Says that a list has more rows, and how to see them. */
export function printMore(session: Pick<Session, "printNote">, limit: number): void {
  const next = Math.min(limit * 2, limits.listRows);
  session.printNote(
    next > limit
      ? `there are more; --limit ${next} shows more`
      : `there are more; ${limits.listRows} are the most that are shown`,
  );
}
