/**
 * The floor: three calls a pipeline over plain keep-alive HTTP to another process, each stage's bytes committed to SQLite
 * (WAL, synchronous=FULL) with group commit before the next one is sent. No routing, no validation, no audit.
 */
import { statSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Ask, type LoadReport, runLoad } from "../../load.ts";

const [directory = "", port = ""] = process.argv.slice(2);
const file = join(directory, "floor.db");
const database = new DatabaseSync(file);
database.exec(
  "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE stages (id INTEGER PRIMARY KEY, bytes BLOB)",
);
const insert = database.prepare("INSERT INTO stages (bytes) VALUES (?)");

let waiting: { readonly bytes: Uint8Array; readonly done: () => void }[] = [];

/** Pipelines that are ready at the same time share a transaction. */
function commit(bytes: Uint8Array): Promise<void> {
  return new Promise((done) => {
    waiting.push({ bytes, done });
    if (waiting.length === 1) setImmediate(flush);
  });
}

function flush(): void {
  const batch = waiting;
  waiting = [];
  database.exec("BEGIN IMMEDIATE");
  for (const { bytes } of batch) insert.run(bytes);
  database.exec("COMMIT");
  for (const { done } of batch) done();
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

function call(body: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, host: "127.0.0.1", port, method: "POST", headers: { "content-length": body.length } },
      (response) => {
        const chunks: Buffer[] = [];
        response
          .on("data", (chunk: Buffer) => chunks.push(chunk))
          .on("end", () => resolve(Buffer.concat(chunks)));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const envelope = Buffer.from(JSON.stringify({ text: "x".repeat(2_000) }));

/** What is stored of a stage: what was sent, and what came back. */
async function pipeline(): Promise<void> {
  await commit(envelope);
  for (let stage = 0; stage < 3; stage++) await commit(Buffer.concat([envelope, await call(envelope)]));
}

process.on("message", async ({ inFlight, count }: Ask) => {
  const before = size();
  const figures = await runLoad(inFlight, count, pipeline);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const report: LoadReport = { ...figures, bytesEach: (size() - before) / count };
  process.send?.(report);
});
process.on("disconnect", () => process.exit());

function size(): number {
  return statSync(file).size;
}
