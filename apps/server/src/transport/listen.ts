import { isIP, type Server } from "node:net";
import { ServerError } from "../server-error.ts";
import { isHub } from "./find-hub.ts";

export interface Address {
  /** A name or an IP address of this machine. */
  readonly host: string;
  /** Zero takes any that is free. */
  readonly port: number;
}

/** Begins to listen, and gives the port. */
export function listen(server: Server, { host, port }: Address, what: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = async (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE" && (await isHub({ host, port }, what));
      reject(isTaken ? hubIsThere(error, { host, port }, what) : cannotListen(error, { host, port }, what));
    };
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

function hubIsThere(cause: Error, { host, port }: Address, what: string): ServerError {
  const use =
    what === "HTTP" ? `its page is http://${host}:${port}` : `baton --hub http://${host}:${port} COMMAND`;
  return new ServerError(
    "BATON-SERVER-001",
    `${what}: a Baton hub runs at ${host}:${port} already`,
    `use that one (${use}), end it, or choose another address: --${what.toLowerCase()} HOST:PORT`,
    cause,
  );
}

/** Whether an address can be reached from this machine alone. Names other than localhost may lead anywhere. */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host === "::1") return true;
  return isIP(host) === 4 && host.startsWith("127.");
}
