/** A pipeline has five kinds of timers, identified by their names. */
export const deadlineTimer = "deadline";
/** The limit of the tenant counts from zero again. */
export const tenantLimitTimer = "tenant-limit";

/** The deadline of a task that waits for an identical one. */
export const identicalTimer = "identical";

export function timeoutTimer(dispatchId: string): string {
  return `timeout ${dispatchId}`;
}

/** Stage ids may contain spaces, so the stage comes last. */
export function retryTimer(attempt: number, stageId: string): string {
  return `retry ${attempt} ${stageId}`;
}

export type Timer =
  | { readonly kind: "deadline" }
  | { readonly kind: "tenant-limit" }
  | { readonly kind: "identical" }
  | { readonly kind: "timeout"; readonly dispatchId: string }
  | { readonly kind: "retry"; readonly attempt: number; readonly stageId: string };

/** Parses the name of a timer; undefined for an unknown one. */
export function readTimer(timerId: string): Timer | undefined {
  const [kind, subject] = splitAtBlank(timerId);
  if (timerId === deadlineTimer) return { kind: "deadline" };
  if (timerId === tenantLimitTimer) return { kind: "tenant-limit" };
  if (timerId === identicalTimer) return { kind: "identical" };
  if (kind === "timeout") return { kind, dispatchId: subject };
  if (kind !== "retry") return undefined;
  const [attempt, stageId] = splitAtBlank(subject);
  return { kind, attempt: Number(attempt), stageId };
}

function splitAtBlank(text: string): [before: string, after: string] {
  const [before = "", ...after] = text.split(" ");
  return [before, after.join(" ")];
}
