/** The addresses of a started server. */
export interface Ready {
  readonly grpc: string;
  readonly http: string;
  /** dev or production. */
  readonly mode: string;
  /** Where the operator token is; absent where the hub has keys. */
  readonly operatorTokenFile?: string;
}

/** Parses the line that a server prints when it is ready; undefined for any other line. */
export function readReady(line: string): Ready | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const { ready, grpc, http, mode, operatorTokenFile }: Readonly<Record<string, unknown>> = {
      ...JSON.parse(line),
    };
    if (ready !== true) return undefined;
    const more = typeof operatorTokenFile === "string" ? { operatorTokenFile } : {};
    return { grpc: String(grpc ?? ""), http: String(http ?? ""), mode: String(mode ?? ""), ...more };
  } catch {
    return undefined;
  }
}

/** The mode, and what it means for a run. */
export function describeMode(mode: string): string {
  return mode === "dev"
    ? "dev: one stage of a run at a time, a missed deadline warns, failing commands trip no breaker"
    : "production: independent stages side by side, a missed deadline pauses the run, circuit breakers";
}
