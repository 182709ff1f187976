/** Messages of a supervisor, one JSON object per line. */
export type FromSupervisor =
  | { readonly kind: "started"; readonly pid: number }
  | { readonly kind: "not-started"; readonly reason: string }
  | { readonly kind: "ended"; readonly code: number | null; readonly signal: string | null };

/** The only message to a supervisor. */
export const stopMessage = "stop\n";

/** File descriptor of the supervisor's socket to the hub. */
export const lineFd = 3;
