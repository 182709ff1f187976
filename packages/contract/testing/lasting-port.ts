import { createServer } from "node:net";

/** Below what systems hand out by themselves, so that nobody is given it by chance while its owner is away. */
const range = { first: 10_000, last: 32_000 } as const;
const attempts = 50;

/** A free port that a server can leave and come back to. One that the system chose may meanwhile be another's. */
export async function lastingPort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = range.first + Math.floor(Math.random() * (range.last - range.first));
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${attempts} ports between ${range.first} and ${range.last} was free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false));
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
  });
}
