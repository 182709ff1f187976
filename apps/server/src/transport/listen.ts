import { isIP, type Server } from "node:net";
import { ServerError } from "../server-error.ts";
import { isHub } from "./find-hub.ts";

export interface Address {
  /** A name or an IP address of this machine. */
  readonly host: string;
  /** Zero selects a free port. */
  readonly port: number;
}

/** Listens at an address, and returns the port. */
export function listen(server: Server, { host, port }: Address, what: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = async (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE" && (await isHub({ host, port }, what));
      reject(isTaken ? hubIsRunning(error, { host, port }, what) : cannotListen(error, { host, port }, what));
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
  EADDRINUSE: ["is in use by another program", "stop that program"],
  EACCES: ["is not allowed for this user", "choose a port of 1024 or higher"],
  EADDRNOTAVAIL: [
    "is not an address of this machine",
    "choose 127.0.0.1, or an address that this machine has",
  ],
  ENOTFOUND: ["cannot be resolved", "use the IP address instead"],
};

function cannotListen(error: NodeJS.ErrnoException, { host, port }: Address, what: string): ServerError {
  const [problem, fix] = reasons[error.code ?? ""] ?? [
    `cannot be used: ${error.message}`,
    "check the message of the system",
  ];
  const other = `or choose another address: --${what.toLowerCase()} HOST:PORT`;
  return new ServerError(
    "BATON-SERVER-001",
    `${what}: ${host}:${port} ${problem}`,
    `${fix}, ${other}`,
    error,
  );
}

function hubIsRunning(cause: Error, { host, port }: Address, what: string): ServerError {
  const use =
    what === "HTTP" ? `its page is http://${host}:${port}` : `baton --hub http://${host}:${port} COMMAND`;
  return new ServerError(
    "BATON-SERVER-001",
    `${what}: a Baton hub already runs at ${host}:${port}`,
    `use that hub (${use}), stop it, or choose another address: --${what.toLowerCase()} HOST:PORT`,
    cause,
  );
}

/** Whether only this machine can reach an address. Names other than localhost may resolve to any address. */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host === "::1") return true;
  return isIP(host) === 4 && host.startsWith("127.");
}
