/** Where a server listens that has started. */
export interface Ready {
  readonly grpc: string;
  readonly http: string;
}

/** The one line that a server prints when it is ready; undefined for any other line. */
export function readReady(line: string): Ready | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const { ready, grpc, http }: Readonly<Record<string, unknown>> = { ...JSON.parse(line) };
    return ready === true ? { grpc: String(grpc ?? ""), http: String(http ?? "") } : undefined;
  } catch {
    return undefined;
  }
}
