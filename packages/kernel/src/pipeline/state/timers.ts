/** A pipeline has three kinds of timers. Their names are all that a ring brings back. */
export const deadlineTimer = "deadline";

export function timeoutTimer(dispatchId: string): string {
  return `timeout ${dispatchId}`;
}

/** Names of stages may hold blanks, so the stage comes last. */
export function retryTimer(attempt: number, stageId: string): string {
  return `retry ${attempt} ${stageId}`;
}

export type Timer =
  | { readonly kind: "deadline" }
  | { readonly kind: "timeout"; readonly dispatchId: string }
  | { readonly kind: "retry"; readonly attempt: number; readonly stageId: string };

/** What a timer is for; undefined for a name that was never given. */
export function readTimer(timerId: string): Timer | undefined {
  const [kind, subject] = splitAtBlank(timerId);
  if (timerId === deadlineTimer) return { kind: "deadline" };
  if (kind === "timeout") return { kind, dispatchId: subject };
  if (kind !== "retry") return undefined;
  const [attempt, stageId] = splitAtBlank(subject);
  return { kind, attempt: Number(attempt), stageId };
}

function splitAtBlank(text: string): [before: string, after: string] {
  const [before = "", ...after] = text.split(" ");
  return [before, after.join(" ")];
}
