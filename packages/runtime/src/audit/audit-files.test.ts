import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { batch } from "@baton/conformance/store/rows.ts";
import { AuditEntrySchema } from "@baton/contract";
import { chainEntries, emptyChain } from "@baton/kernel";
import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../stores/index.ts";
import { scratchForTest } from "../stores/sqlite/testing/scratch.ts";
import { inlineAuditWorker } from "./audit-worker.ts";
import { sha256 } from "./signing-key.ts";

const tenantId = "acme";
/** Ids come from outside. The last is longer than a name of a file may be. */
const ids = [
  "",
  "p-1",
  "..",
  "../../etc/passwd",
  "/root",
  ".written.json",
  "_fleet.acme",
  "a%2Fb",
  "a/b",
  "é\n",
  "x".repeat(900),
];

async function recorded() {
  const store = openMemoryStore();
  const plain = [...ids, ...ids].map((pipelineId, at) =>
    create(AuditEntrySchema, { auditId: `a-${at}`, tenantId, pipelineId, timestamp: { seconds: 1n } }),
  );
  const { entries } = chainEntries(emptyChain(tenantId), plain, sha256);
  const audit = entries.map((entry) => ({
    ...{ tenantId, sequence: entry.sequence, auditId: entry.auditId, pipelineId: entry.pipelineId },
    ...{ eventType: "ESCALATION", atMs: 1_000 },
    ...{ hash: entry.entryHash ?? new Uint8Array(), entry: toBinary(AuditEntrySchema, entry) },
  }));
  await store.commit(batch({ audit }));
  const folder = join(scratchForTest(), "docs", "audit");
  const { append, ends } = inlineAuditWorker(store);
  return { folder, append: async () => append({ folder, ends: await ends() }) };
}

function sequencesIn(folder: string): ReadonlyMap<string, readonly number[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return new Map(
    names.map((name) => {
      const lines = readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
      return [name, lines.map((line) => Number(JSON.parse(line).sequence))];
    }),
  );
}

describe("[OBS-03] the record as files", () => {
  it("has one file for every pipeline, in the folder and nowhere else, whatever the ids are", async () => {
    const { folder, append } = await recorded();
    await append();
    const files = sequencesIn(folder);
    expect(files.size).toBe(ids.length);
    for (const [name, sequences] of files) {
      expect(name).toMatch(/^[\w%.-]{1,240}\.jsonl$/);
      expect(sequences).toEqual([sequences[0], (sequences[0] ?? 0) + ids.length]);
    }
    expect(readdirSync(dirname(folder))).toEqual(["audit"]);
  });

  it("is the same after every crash: without its note, with half a line, and in the middle of a page", async () => {
    const { folder, append } = await recorded();
    await append();
    const whole = sequencesIn(folder);
    const path = join(folder, "p-1.jsonl");
    const text = readFileSync(path, "utf8");
    const [first = ""] = text.split(/(?<=\n)/);
    for (const length of [0, 1, first.length - 1, first.length, first.length + 1, text.length - 1]) {
      truncateSync(path, length);
      writeFileSync(join(folder, ".written.json"), length % 2 === 0 ? "{" : '{"acme":"1"}');
      await append();
      expect(sequencesIn(folder), `cut after ${length}`).toEqual(whole);
    }
    expect(await append()).toEqual({ written: 0 });
  });
});

describe.runIf(process.platform === "linux")("[OBS-03] a file that could be written only in part", () => {
  it("is a failure, and is made whole the next time", async () => {
    const folder = join(scratchForTest(), "audit");
    const program = `
      import { AuditEntrySchema } from "@baton/contract";
      import { create, toBinary } from "@bufbuild/protobuf";
      import { appendFiles } from ${JSON.stringify(join(import.meta.dirname, "audit-files.ts"))};
      const rows = Array.from({ length: 100 }, (_, at) => BigInt(at + 1)).map((sequence) => ({
        sequence,
        entry: toBinary(AuditEntrySchema, create(AuditEntrySchema, { sequence, pipelineId: "p-1", rationale: "x".repeat(99) })),
      }));
      const auditRecord = async (_, after) => rows.filter(({ sequence }) => sequence > after);
      const catchUp = { folder: ${JSON.stringify(folder)}, ends: new Map([["acme", 100n]]) };
      await appendFiles({ auditRecord }, catchUp).then(
        ({ written }) => console.log("written", written),
        ({ code }) => console.log("failed", code),
      );`;
    const run = (before: string) =>
      execFileSync(
        "/bin/bash",
        ["-c", `${before} exec "$0" --input-type=module --eval "$1"`, process.execPath, program],
        { cwd: import.meta.dirname, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
      );
    expect(run('trap "" XFSZ; ulimit -f 4;')).toBe("failed EFBIG\n");
    expect(run("")).toMatch(/^written \d+\n$/);
    expect([...sequencesIn(folder).values()]).toEqual([Array.from({ length: 100 }, (_, at) => at + 1)]);
  });
});
