/** What a supervisor tells the hub, a line of JSON each. */
export type FromSupervisor =
  | { readonly kind: "started"; readonly pid: number }
  | { readonly kind: "not-started"; readonly reason: string }
  | { readonly kind: "ended"; readonly code: number | null; readonly signal: string | null };

/** The only thing that the hub tells a supervisor. That the line to the hub is cut means the same. */
export const stopMessage = "stop\n";

/** Where a supervisor finds its line to the hub. */
export const lineFd = 3;
