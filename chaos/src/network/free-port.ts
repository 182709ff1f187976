import { createServer } from "node:net";

/** A port that nobody listens on. It stays the same over all lives of the hub, so that agents find it again. */
export function findFreePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => done(port));
    });
  });
}
