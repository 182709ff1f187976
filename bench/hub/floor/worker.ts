/** The plainest agent: answers every call with the same bytes. */
import { createServer } from "node:http";

const answer = Buffer.from(JSON.stringify({ ok: true, text: "x".repeat(300) }));
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200, { "content-length": answer.length }).end(answer));
});
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit());
