import { limits } from "../limits.ts";
import type { Session } from "../session.ts";

/** Says that a list has more than is shown, and how to see it. */
export function tellMore(session: Pick<Session, "tell">, limit: number): void {
  const next = Math.min(limit * 2, limits.listRows);
  session.tell(
    next > limit
      ? `there are more; --limit ${next} shows more`
      : `there are more; ${limits.listRows} are the most that are shown`,
  );
}
