import type { Server } from "node:net";
import { ServerError } from "../server-error.ts";

export interface Address {
  /** A name or an IP address of this machine. */
  readonly host: string;
  /** Zero takes any that is free. */
  readonly port: number;
}

/** Begins to listen, and gives the port. */
export function listen(server: Server, { host, port }: Address, what: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(cannotListen(error, { host, port }, what));
    server.once("error", fail);
    server.listen({ host, port }, () => {
      server.off("error", fail);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

const reasons: Readonly<Record<string, readonly [problem: string, fix: string]>> = {
  EADDRINUSE: ["is taken by another program", "end that program"],
  EACCES: ["may not be used by this user", "choose a port of 1024 or more"],
  EADDRNOTAVAIL: [
    "is not an address of this machine",
    "choose 127.0.0.1, or an address that this machine has",
  ],
  ENOTFOUND: ["is a name that leads nowhere", "write the IP address instead"],
};

function cannotListen(error: NodeJS.ErrnoException, { host, port }: Address, what: string): ServerError {
  const [problem, fix] = reasons[error.code ?? ""] ?? [
    `cannot be listened on: ${error.message}`,
    "see what the system says",
  ];
  const other = `or choose another address: --${what.toLowerCase()} HOST:PORT`;
  return new ServerError(
    "BATON-SERVER-001",
    `${what}: ${host}:${port} ${problem}`,
    `${fix}, ${other}`,
    error,
  );
}
