import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { batch } from "@baton/conformance/store/rows.ts";
import {
  type AuditCheckpoint,
  AuditEntrySchema,
  ExportAuditRequestSchema,
  GetAuditCheckpointRequestSchema,
  GetAuditProofRequestSchema,
  ListAuditEntriesRequestSchema,
  PipelineStatus,
  VerifyAuditRequestSchema,
} from "@baton/contract";
import { chainEntries, emptyChain, keyIdOf, trustKeys, verifyEntryProof } from "@baton/kernel";
import { exportVerifier } from "@baton/kernel/audit";
import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, eventually, reaches, refusalOf, submit, TestAgent, testHub } from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";
import { openMemoryStore } from "../stores/index.ts";
import { openForTest, scratchForTest } from "../stores/sqlite/testing/scratch.ts";
import { inlineAuditWorker, threadAuditWorker } from "./audit-worker.ts";
import { readHeads } from "./head-file.ts";
import { checkSignature, keyFileOf, openSigningKey, sha256 } from "./signing-key.ts";
import { exportTools } from "./testing/export-tools.ts";
import { verifyRecord } from "./walk-record.ts";

interface Opened {
  readonly hub: Hub;
  readonly drain: () => Promise<void>;
}

async function openInMemory(): Promise<Opened> {
  const hub = await testHub({ store: openMemoryStore() });
  return { hub, drain: () => hub.drain(0) };
}

async function openOnDisk(
  directory = scratchForTest(),
  onProblem: (problem: Error) => void = console.error,
): Promise<Opened> {
  const store = await openForTest(directory);
  const key = openSigningKey(directory);
  const hub = await testHub({ store, audit: { key, auditWorker: threadAuditWorker(directory) }, onProblem });
  let drained: Promise<void> | undefined;
  const drain = () => (drained ??= hub.drain(0).then(() => store.close()));
  onTestFinished(drain);
  return { hub, drain };
}

async function work(hub: Hub, tasks = 2): Promise<readonly string[]> {
  const agent = new TestAgent(hub, { packId: "dev", maxTasks: 10 });
  const ids: string[] = [];
  for (let task = 0; task < tasks; task++) {
    const pipelineId = await submit(hub, { idempotencyKey: `task-${task}-${Math.random()}` });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    ids.push(pipelineId);
  }
  agent.vanish();
  return ids;
}

async function entriesOf(hub: Hub) {
  const { entries } = await hub.listAuditEntries(
    ada,
    create(ListAuditEntriesRequestSchema, { pageSize: 1_000 }),
  );
  return entries;
}

async function exported(hub: Hub, pipelineId = "", since?: AuditCheckpoint): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const request = create(ExportAuditRequestSchema, { pipelineId, ...(since && { since }) });
  for await (const { piece } of hub.exportAudit(ada, request)) pieces.push(piece);
  return Buffer.concat(pieces);
}

function verifyFile(file: Buffer, options: Parameters<typeof exportVerifier>[1] = {}) {
  const verifier = exportVerifier(exportTools, options);
  for (let start = 0; start < file.length; ) {
    const end = file.indexOf("\n", start) + 1 || file.length;
    verifier.push(file.subarray(start, end));
    start = end;
  }
  return verifier.end();
}

async function checkpointOf(hub: Hub) {
  return hub.getAuditCheckpoint(ada, create(GetAuditCheckpointRequestSchema));
}

describe("the end of a record that no checkpoint covers yet", () => {
  /** What a hub leaves that is killed before it has signed, with its last entries cut off behind its back. */
  async function cutOff() {
    const directory = scratchForTest();
    const store = await openForTest(directory);
    const schedule = { checkMs: 10, signMs: 3_600_000 };
    const audit = { key: openSigningKey(directory), auditWorker: threadAuditWorker(directory), schedule };
    const hub = await testHub({ store, audit: { ...audit, headFolder: directory } });
    onTestFinished(() => hub.drain(0).then(() => store.close()));
    await work(hub);
    const entries = (await entriesOf(hub)).length;
    await eventually("the note", () => readHeads(directory)[0]?.head.sequence === BigInt(entries));
    const left = scratchForTest();
    cpSync(directory, left, { recursive: true });
    const db = new DatabaseSync(join(left, "baton.db"));
    const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`);
    db.exec("DELETE FROM audit WHERE n = (SELECT max(n) FROM audit)");
    for (const { sql } of triggers) db.exec(String(sql));
    db.close();
    return { left, entries };
  }

  it("[OBS-04] cannot be cut off unseen: where it ended is noted beside the store", async () => {
    const { left } = await cutOff();
    const store = await openForTest(left);
    const { fault } = await verifyRecord(store, ada.tenantId, { heads: readHeads(left) });
    const [{ auditSequence } = { auditSequence: 0n }] = await store.heads();
    expect(fault).toMatchObject({ kind: "cut", sequence: auditSequence + 1n });
    await store.close();
  });

  it("[OBS-04] is missed by the journal, also without the note and once the record has grown on", async () => {
    const { left, entries } = await cutOff();
    rmSync(join(left, "audit.head"));
    const store = await openForTest(left);
    const [{ auditSequence } = { auditSequence: 0n }] = await store.heads();
    const lost = {
      kind: "cut",
      sequence: auditSequence + 1n,
      problem: expect.stringContaining(String(entries)),
    };
    expect((await verifyRecord(store, ada.tenantId)).fault).toEqual(lost);
    const problems: string[] = [];
    const key = openSigningKey(left);
    const schedule = { checkMs: 10, signMs: 3_600_000 };
    const audit = { key, auditWorker: threadAuditWorker(left), headFolder: left, schedule };
    const hub = await testHub({ store, audit, onProblem: ({ message }) => void problems.push(message) });
    await eventually("a report", () => problems.some((one) => one.includes("lacks those from")));
    expect(hub.recordWarnings()).toEqual([expect.stringContaining("has lost entries")]);
    await work(hub, 3);
    expect((await store.heads())[0]?.auditSequence).toBeGreaterThan(BigInt(entries));
    expect((await verifyRecord(store, ada.tenantId)).fault).toMatchObject({ kind: "cut" });
    expect(await store.check()).toEqual([expect.stringContaining("has lost entries")]);
    await hub.drain(0);
  });

  it("[OBS-04] is reported by the next hub, and the note stays until a person has checked it", async () => {
    const { left } = await cutOff();
    const problems: string[] = [];
    const store = await openForTest(left);
    const schedule = { checkMs: 10, signMs: 3_600_000 };
    const audit = {
      key: openSigningKey(left),
      auditWorker: threadAuditWorker(left),
      schedule,
      headFolder: left,
    };
    const onProblem = ({ message }: Error) => void problems.push(message);
    const hub = await testHub({ store, audit, onProblem });
    await eventually("the report", () => problems.some((one) => one.includes("the record ends before")));
    await work(hub, 1);
    await eventually("a new note", () => readdirSync(left).includes("audit.head"));
    const { fault } = await verifyRecord(store, ada.tenantId, { heads: readHeads(left) });
    expect(fault?.kind).toMatch(/cut|checkpoint-mismatch/);
    await hub.drain(0);
    await store.close();
  });
});

describe.each([
  ["in memory", openInMemory],
  ["on disk", openOnDisk],
] as const)("the record of a hub %s", (_, open) => {
  it("[OBS-04] proves each entry alone, with a proof that is short", async () => {
    const { hub } = await open();
    await work(hub);
    const entries = await entriesOf(hub);
    expect(entries.length).toBeGreaterThan(10);
    for (const { auditId } of entries) {
      const { entry, proof, key } = await hub.getAuditProof(
        ada,
        create(GetAuditProofRequestSchema, { auditId }),
      );
      if (!entry || !proof || !key) throw new Error("a proof has an entry, hashes and a key");
      expect(entry.auditId).toBe(auditId);
      expect(keyIdOf(key.publicKey, sha256)).toBe(key.keyId);
      expect(proof.hashes.length).toBeLessThanOrEqual(Math.ceil(Math.log2(entries.length)));
      const verifySignature = trustKeys(new Map([[key.keyId, key.publicKey]]), checkSignature);
      const options = { tenantId: ada.tenantId, digest: sha256, verifySignature };
      expect(verifyEntryProof(entry, proof, options)).toEqual({ valid: true });
      const altered = { ...entry, rationale: `${entry.rationale}!` };
      expect(verifyEntryProof(altered, proof, options)).toMatchObject({ valid: false });
    }
    const request = create(GetAuditProofRequestSchema, { auditId: "nobody/1.0" });
    expect(await refusalOf(hub.getAuditProof(ada, request))).toMatchObject({ kind: "not-found" });
    const others = create(GetAuditProofRequestSchema, { auditId: entries[0]?.auditId ?? "" });
    const stranger = { ...ada, tenantId: "another" };
    expect(await refusalOf(hub.getAuditProof(stranger, others))).toMatchObject({ kind: "not-found" });
  });

  it("[OBS-04] verifies, also against a checkpoint that was kept, and signs what it found", async () => {
    const { hub } = await open();
    await work(hub, 1);
    const { checkpoint: kept } = await checkpointOf(hub);
    if (!kept) throw new Error("there are entries");
    await work(hub, 1);
    const total = BigInt((await entriesOf(hub)).length);
    expect(kept.sequence).toBeLessThan(total);
    const request = create(VerifyAuditRequestSchema, { checkpoint: kept });
    const answer = await hub.verifyAudit(ada, request);
    expect(answer).toMatchObject({ valid: true, entriesChecked: total, firstBadSequence: 0n, problem: "" });
    expect(answer.checkpoint?.sequence).toBe(total);
    const forged = { ...kept, entryHash: Buffer.alloc(32, 1) };
    expect(
      await hub.verifyAudit(ada, create(VerifyAuditRequestSchema, { checkpoint: forged })),
    ).toMatchObject({
      valid: false,
      firstBadSequence: kept.sequence,
      problemKind: "checkpoint-mismatch",
    });
  });

  it("[OBS-04] is exported as a file that is checked without the hub", async () => {
    const { hub } = await open();
    // The first entry of the record: that it was exported.
    expect(verifyFile(await exported(hub))).toMatchObject({ valid: true, entriesChecked: 1n });
    const [pipelineId = ""] = await work(hub);
    const { checkpoint: kept, key } = await checkpointOf(hub);
    await work(hub, 1);
    const trusted = [key?.keyId ?? ""];
    const entries = await entriesOf(hub);
    const total = BigInt(entries.length) + 1n;
    const whole = await exported(hub);
    const rightly = { valid: true, entriesChecked: total, vouchedThrough: total, keysAreTrusted: true };
    expect(verifyFile(whole, { trusted, ...(kept && { kept }) })).toMatchObject(rightly);
    const own = entries.filter((entry) => entry.pipelineId === pipelineId).length;
    const alone = await exported(hub, pipelineId, kept);
    const proven = verifyFile(alone, { trusted, ...(kept && { kept }) });
    expect(proven).toMatchObject({ valid: true, entriesChecked: BigInt(own), header: { pipelineId } });
    expect(verifyFile(whole, { trusted: ["ed25519:another"] })).toMatchObject({
      valid: false,
      fault: { kind: "foreign-key" },
    });
    const stream = exported(hub, "nobody");
    expect(await refusalOf(stream)).toMatchObject({ kind: "not-found" });
  });
});

/** A forgery with access to the store: another past, chained and signed again. */
async function forge(hub: Hub): Promise<Hub> {
  const plain = (await entriesOf(hub)).map(({ previousHash: _, entryHash: __, ...entry }, at) => ({
    ...entry,
    sequence: 0n,
    ...(at === 1 && { rationale: "nothing to see" }),
  }));
  const { entries } = chainEntries(emptyChain(ada.tenantId), plain, sha256);
  const store = openMemoryStore();
  const audit = entries.map((entry) => ({
    ...{ tenantId: ada.tenantId, sequence: entry.sequence, auditId: entry.auditId },
    ...{ pipelineId: entry.pipelineId, eventType: "PIPELINE_CREATED", atMs: 1 },
    ...{ hash: entry.entryHash ?? new Uint8Array(), entry: toBinary(AuditEntrySchema, entry) },
  }));
  await store.commit(batch({ audit }));
  return testHub({ store });
}

describe("a record that was rewritten and signed again", () => {
  it("[OBS-04] is shown by the key, and by a checkpoint that was kept, and by nothing else", async () => {
    const { hub } = await openInMemory();
    const [pipelineId = ""] = await work(hub);
    const { checkpoint: kept, key } = await checkpointOf(hub);
    if (!kept) throw new Error("there are entries");
    const trusted = [key?.keyId ?? ""];
    const forged = await forge(hub);
    for (const file of [await exported(forged), await exported(forged, pipelineId, kept)]) {
      expect(verifyFile(file)).toMatchObject({ valid: true, keysAreTrusted: false });
      expect(verifyFile(file, { trusted })).toMatchObject({ valid: false, fault: { kind: "foreign-key" } });
      const compared = verifyFile(file, { kept });
      expect(compared).toMatchObject({ valid: false, fault: { kind: "checkpoint-mismatch" } });
      expect(compared?.fault?.sequence).toBe(kept.sequence);
    }
  });
});

describe("a record that is larger than a stretch of its tree", () => {
  it("[OBS-04] is proven with the nodes that are kept, over restarts of the hub", async () => {
    const directory = scratchForTest();
    const first = await openForTest(directory);
    const plain = Array.from({ length: 5_000 }, (_, at) =>
      create(AuditEntrySchema, {
        auditId: `a-${at + 1}`,
        tenantId: ada.tenantId,
        timestamp: { seconds: 1n },
      }),
    );
    const { entries } = chainEntries(emptyChain(ada.tenantId), plain, sha256);
    const rows = entries.map((entry) => ({
      ...{ tenantId: ada.tenantId, sequence: entry.sequence, auditId: entry.auditId, pipelineId: "" },
      ...{ eventType: "ESCALATION", atMs: 1_000 },
      ...{ hash: entry.entryHash ?? new Uint8Array(), entry: toBinary(AuditEntrySchema, entry) },
    }));
    const commit = (audit: typeof rows, store = first) => store.commit(batch({ audit }));
    await commit(rows.slice(0, 1_500));
    await first.close();
    const before = await openOnDisk(directory);
    const { checkpoint: kept } = await checkpointOf(before.hub);
    expect(kept?.sequence).toBe(1_500n);
    await before.drain();
    const second = await openForTest(directory);
    await commit(rows.slice(1_500), second);
    await second.close();

    const { hub } = await openOnDisk(directory);
    for (const sequence of [1, 1_024, 1_025, 2_048, 4_096, 4_097, 5_000]) {
      const request = create(GetAuditProofRequestSchema, { auditId: `a-${sequence}` });
      const { entry, proof, key } = await hub.getAuditProof(ada, request);
      if (!entry || !proof || !key) throw new Error("a proof has an entry, hashes and a key");
      const verifySignature = trustKeys(new Map([[key.keyId, key.publicKey]]), checkSignature);
      const options = { tenantId: ada.tenantId, digest: sha256, verifySignature };
      expect(verifyEntryProof(entry, proof, options), `entry ${sequence}`).toEqual({ valid: true });
      expect(proof.hashes.length).toBeLessThanOrEqual(13);
    }
    const whole = await exported(hub);
    const verdict = verifyFile(whole, kept && { kept });
    expect(verdict).toMatchObject({ valid: true, entriesChecked: 5_001n, vouchedThrough: 5_001n });
    const answer = await hub.verifyAudit(
      ada,
      create(VerifyAuditRequestSchema, kept ? { checkpoint: kept } : {}),
    );
    expect(answer).toMatchObject({ valid: true, entriesChecked: 5_001n });
  });
});

describe("an exported file", () => {
  it("[OBS-04] shows a change of any byte", async () => {
    const { hub } = await openInMemory();
    const [pipelineId = ""] = await work(hub, 1);
    for (const file of [await exported(hub), await exported(hub, pipelineId)]) {
      for (let at = 0; at < file.length; at += 7) {
        const changed = Buffer.from(file);
        changed[at] = (changed[at] ?? 0) ^ 1;
        const verdict = verifyFile(changed);
        expect(verdict?.valid ?? false, `byte ${at}`).toBe(false);
      }
    }
  });
});

describe("a record whose end was cut off behind the hub's back", () => {
  it("[OBS-04] is signed no more, and the hub says why and goes on", async () => {
    const directory = scratchForTest();
    const first = await openOnDisk(directory);
    await work(first.hub, 1);
    await first.drain();
    const raw = new DatabaseSync(join(directory, "baton.db"));
    const trigger = raw.prepare("SELECT sql FROM sqlite_schema WHERE name = 'audit_is_kept'").get();
    raw.exec("DROP TRIGGER audit_is_kept; DELETE FROM audit WHERE n = (SELECT max(n) FROM audit)");
    raw.exec(String(trigger?.sql));
    raw.close();
    const problems: string[] = [];
    const { hub } = await openOnDisk(directory, (problem) => void problems.push(problem.message));
    expect(await refusalOf(checkpointOf(hub))).toMatchObject({
      kind: "precondition",
      code: "BATON-AUDIT-001",
    });
    expect(await refusalOf(exported(hub))).toMatchObject({ code: "BATON-AUDIT-001" });
    const answer = await hub.verifyAudit(ada, create(VerifyAuditRequestSchema));
    expect(answer).toMatchObject({ valid: false, problemKind: "cut" });
    const [pipelineId = ""] = await work(hub, 1);
    expect(pipelineId).not.toBe("");
    await hub.drain(0);
    expect(problems.join()).toContain("is damaged");
  });
});

describe("the hub's key", () => {
  it("[OBS-04] is made once, for its owner alone, and survives a restart with the tree", async () => {
    const directory = scratchForTest();
    const first = await openOnDisk(directory);
    await work(first.hub, 1);
    const { key, checkpoint } = await checkpointOf(first.hub);
    await first.drain();
    expect(statSync(keyFileOf(directory)).mode & 0o777).toBe(0o600);
    const second = await openOnDisk(directory);
    await work(second.hub, 1);
    const later = await checkpointOf(second.hub);
    expect(later.key).toEqual(key);
    expect(later.checkpoint?.sequence).toBeGreaterThan(checkpoint?.sequence ?? 0n);
    const verdict = verifyFile(await exported(second.hub), { trusted: [key?.keyId ?? ""] });
    expect(verdict).toMatchObject({ valid: true });
  });

  it("[OBS-04] is refused when its file is damaged, with a fix and without its content", () => {
    const directory = scratchForTest();
    openSigningKey(directory);
    const path = keyFileOf(directory);
    const pem = readFileSync(path, "utf8");
    writeFileSync(path, pem.replace("A", "B").slice(0, -40));
    expect(() => openSigningKey(directory)).toThrow(/cannot be used: it is not a private key/);
    try {
      openSigningKey(directory);
    } catch (error) {
      expect(error).toMatchObject({ code: "BATON-STORE-009", fix: expect.stringContaining("backup") });
      expect(String(error)).not.toContain(pem.split("\n")[1]);
    }
    chmodSync(path, 0o600);
  });

  it("[OBS-04] signs a record by itself when the hub stops", async () => {
    const directory = scratchForTest();
    const first = await openOnDisk(directory);
    await work(first.hub, 1);
    const total = BigInt((await entriesOf(first.hub)).length);
    await first.drain();
    const store = await openForTest(directory);
    expect((await store.lastCheckpoint(ada.tenantId))?.sequence).toBeGreaterThanOrEqual(total);
    const verdict = await inlineAuditWorker(store).verify(ada.tenantId, {});
    expect(verdict).toMatchObject({ valid: true });
    expect(verdict.vouchedThrough).toBe(verdict.entriesChecked);
  });
});
