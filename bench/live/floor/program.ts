/**
 * The floor: events come as lines over plain HTTP from another process, are committed to SQLite (WAL, synchronous=FULL) with
 * group commit, and then written to everybody who watches. No numbers, no redaction, no filters, nobody is let go.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const [directory = ""] = process.argv.slice(2);
const database = new DatabaseSync(join(directory, "floor.db"));
database.exec(
  "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE events (id INTEGER PRIMARY KEY, line TEXT)",
);
const insert = database.prepare("INSERT INTO events (line) VALUES (?)");
const watching = new Set<ServerResponse>();
let waiting: string[] = [];

function flush(): void {
  const lines = waiting;
  waiting = [];
  database.exec("BEGIN IMMEDIATE");
  for (const line of lines) insert.run(line);
  database.exec("COMMIT");
  const text = lines.map((line) => `event: record\ndata: ${line}\n\n`).join("");
  for (const response of watching) response.write(text);
}

function take(line: string): void {
  waiting.push(line);
  if (waiting.length === 1) setImmediate(flush);
}

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    watching.add(response);
    response.on("close", () => watching.delete(response));
    return;
  }
  let rest = "";
  request
    .setEncoding("utf8")
    .on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(take);
    })
    .on("end", () => response.end());
});
server.requestTimeout = 0;
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
const talker = fork(new URL("./talker.ts", import.meta.url), [String(port)], {
  stdio: ["ignore", "ignore", "inherit", "ipc"],
});

process.on("message", async (how) => {
  talker.send(how as object);
  await once(talker, "message");
  process.send?.({ residentMb: process.memoryUsage().rss / 1e6 });
});
process.on("disconnect", () => {
  talker.disconnect();
  process.exit();
});
process.send?.({ ready: true, address: `http://127.0.0.1:${port}` });
