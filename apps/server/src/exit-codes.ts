/** With what the process ends; docs/reference/server.md lists them for whoever watches it. */
export const exitCodes = { stopped: 0, failed: 1, misconfigured: 2, noAddress: 3, noStore: 4 } as const;
