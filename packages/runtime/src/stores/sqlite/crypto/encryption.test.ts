import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  batch,
  callRow,
  content,
  heldRow,
  knowledgeRow,
  startMs,
  stepRow,
  timer,
  transition,
} from "@baton/conformance/store/rows.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heldUnknown } from "../../../ports/store.ts";
import { storeFiles } from "../files.ts";
import { checkSqlite } from "../maintenance/check.ts";
import { openSqliteStore } from "../open.ts";
import { unpackOlder } from "../testing/older-stores.ts";
import { openForTest, scratchForTest } from "../testing/scratch.ts";
import { BatchEncryptor } from "./batch-encryptor.ts";
import { IdCipher } from "./id-cipher.ts";
import { StoreCipher } from "./store-cipher.ts";

const secret = "a-secret-of-nobody-else";

const secretStep = stepRow("p1", 1, {
  dispatchId: `p1/${secret}/1`,
  info: Buffer.from(`step ${secret}`),
  value: Buffer.from(`value ${secret}`),
});

/** A store in which everything that cannot be masked has a secret in it. */
async function makeStore(directory: string, key?: string): Promise<void> {
  const store = await openSqliteStore({ directory, key });
  const made = transition("p1", 0, {
    records: { text: `records ${secret}`, count: 1 },
    contents: [content(`content ${secret}`)],
    commands: [{ id: 1, pipelineId: "p1", text: `command ${secret}` }],
    timersSet: [timer("p1", `retry 1 ${secret}`, startMs)],
  });
  const call = { ...callRow("p1", `call ${secret}`), dispatchId: `p1/${secret}/1`, tool: `tool ${secret}` };
  await store.commit(
    batch({
      transitions: [made],
      fleet: [{ tenantId: "acme", text: `fleet ${secret}` }],
      callsBegun: [call],
      held: [{ ...heldRow("p1", `held ${secret}`), dispatchId: `p1/${secret}/1` }],
      steps: [secretStep],
      knowledge: [knowledgeRow("a", { content: Buffer.from(`knowledge ${secret}`) })],
    }),
  );
  await store.close();
}

function bytesIn(directory: string): string {
  return readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), "latin1"))
    .join("\n");
}

describe("[OBS-05] what a store keeps for the work to go on", () => {
  it("is nowhere in its files, and is read as it was written", async () => {
    const directory = scratchForTest();
    await makeStore(directory);
    expect(bytesIn(directory)).not.toContain(secret);
    const store = await openForTest(directory);
    expect(await store.journal("p1")).toMatchObject({ texts: [`records ${secret}`] });
    expect([...((await store.journal("p1"))?.contents.values() ?? [])].map(String)).toEqual(
      [content(`content ${secret}`).bytes].map(String),
    );
    expect(await store.outbox()).toMatchObject([{ text: `command ${secret}` }]);
    const [step] = await store.steps(`p1/${secret}/1`, 0, 1, 1_000);
    expect([step?.info, step?.value].map(String)).toEqual(
      [secretStep.info, secretStep.value].map((bytes) => String(new Uint8Array(bytes))),
    );
    const [known] = await store.knowledge({ tenantId: "acme", topic: "cache", limit: 1 });
    expect(Buffer.from(known?.content ?? []).toString()).toBe(`knowledge ${secret}`);
    expect(await store.timers()).toMatchObject([{ pipelineId: "p1", timerId: `retry 1 ${secret}` }]);
    expect(await store.openCalls()).toMatchObject([
      { dispatchId: `p1/${secret}/1`, callId: `call ${secret}`, tool: `tool ${secret}` },
    ]);
    expect(await store.heldBack()).toMatchObject([{ dispatchId: `p1/${secret}/1`, text: `held ${secret}` }]);
    for await (const rows of store.fleet())
      expect(rows).toEqual([{ tenantId: "acme", text: `fleet ${secret}` }]);
    expect(await store.check()).toEqual([]);
  });

  it("is the same twice and does not look the same", async () => {
    const directory = scratchForTest();
    const store = await openSqliteStore({ directory });
    for (const version of [0, 1])
      await store.commit(
        batch({ transitions: [transition("p1", version, { records: { text: secret, count: 1 } })] }),
      );
    await store.close();
    const raw = new DatabaseSync(storeFiles(directory).database, { readOnly: true });
    const rows = raw.prepare("SELECT hex(substr(sealed, 17)) AS sealed FROM journal").all();
    raw.close();
    expect(new Set(rows.map(({ sealed }) => sealed)).size).toBe(2);
  });

  it("is encrypted when an older store is opened, where rows are deleted later", async () => {
    const directory = scratchForTest();
    unpackOlder(5, directory);
    const before = await openSqliteStore({ directory, readOnly: true });
    const [timers, outbox] = [await before.timers(), await before.outbox()];
    await before.close();
    expect(timers.length + outbox.length).toBeGreaterThan(0);
    const store = await openForTest(directory);
    expect(await store.timers()).toEqual(timers);
    expect(await store.outbox()).toEqual(outbox);
    const raw = new DatabaseSync(storeFiles(directory).database, { readOnly: true });
    expect(raw.prepare("SELECT 1 FROM outbox WHERE text <> '' OR sealed IS NULL").get()).toBeUndefined();
    expect(raw.prepare("SELECT 1 FROM timers WHERE timer_id LIKE '% %'").get()).toBeUndefined();
    raw.close();
  });
});

function makeFolder(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

describe("[TUR-06] what was held back of attempts that are under way", () => {
  const attemptsIn = (timers: readonly { readonly timerId: string }[]) =>
    timers.flatMap(({ timerId }) => (timerId.startsWith("timeout ") ? [timerId.slice(8)] : [])).toSorted();

  it.each([1, 2, 3, 4])("is not known in a store of version %i, and is said to be so", async (version) => {
    const directory = scratchForTest();
    unpackOlder(version, directory);
    const store = await openForTest(directory);
    const attempts = attemptsIn(await store.timers());
    expect(attempts).not.toEqual([]);
    const held = await store.heldBack();
    expect(held.map(({ dispatchId }) => dispatchId).toSorted()).toEqual(attempts);
    expect(new Set(held.map(({ text }) => text))).toEqual(new Set([heldUnknown]));
    await store.close();
    expect((await (await openForTest(directory)).heldBack()).length).toBe(attempts.length);
  });

  it("is known in a store of version 5", async () => {
    const directory = scratchForTest();
    unpackOlder(5, directory);
    const store = await openForTest(directory);
    expect(attemptsIn(await store.timers())).not.toEqual([]);
    expect((await store.heldBack()).filter(({ text }) => text === heldUnknown)).toEqual([]);
  });
});

describe("the key of a store", () => {
  it("is made with the store, once, for its owner alone", async () => {
    const directory = scratchForTest();
    await makeStore(directory);
    const { key } = storeFiles(directory);
    expect(statSync(key)).toMatchObject({ size: 32, mode: 0o100600 });
    const bytes = readFileSync(key);
    await (await openSqliteStore({ directory })).close();
    expect(readFileSync(key)).toEqual(bytes);
    expect(readdirSync(directory).filter((name) => name.includes("unfinished"))).toEqual([]);
  });

  it("may be kept elsewhere, and is wanted there", async () => {
    const folder = scratchForTest();
    const [directory, key] = [join(folder, "data"), join(folder, "keys", "hub.key")];
    mkdirSync(join(folder, "keys"));
    await makeStore(directory, key);
    expect(existsSync(storeFiles(directory).key)).toBe(false);
    expect(await checkSqlite(directory, key)).toEqual([]);
    await (await openSqliteStore({ directory, key })).close();
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({
      code: "BATON-STORE-010",
      message: expect.stringContaining("is missing"),
      fix: expect.stringContaining("--store-key"),
    });
  });

  it("is never created again for an encrypted store, and without it only lists can be read", async () => {
    const directory = scratchForTest();
    await makeStore(directory);
    const { key } = storeFiles(directory);
    renameSync(key, `${key}.away`);
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({ code: "BATON-STORE-010" });
    expect(existsSync(key)).toBe(false);
    const reader = await openForTest(directory, true);
    expect(await reader.pipeline("p1")).toMatchObject({ status: "RUNNING" });
    await expect(reader.journal("p1")).rejects.toMatchObject({ code: "BATON-STORE-010" });
    expect(await checkSqlite(directory)).toEqual([expect.stringContaining("not decrypted")]);
  });

  it("is used when a hub ended before it said so in the store", async () => {
    const directory = scratchForTest();
    const bytes = Buffer.alloc(32, 7);
    writeFileSync(storeFiles(directory).key, bytes, { mode: 0o600 });
    await makeStore(directory);
    expect(readFileSync(storeFiles(directory).key)).toEqual(bytes);
  });

  it.each([
    ["has another size", (key: string) => writeFileSync(key, "short"), "5 bytes"],
    ["can be read by others", (key: string) => chmodSync(key, 0o640), "by others"],
    ["is a folder", makeFolder, "it is no file"],
  ])("is refused when it %s", async (_, spoil, why) => {
    const directory = scratchForTest();
    await makeStore(directory);
    spoil(storeFiles(directory).key);
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({
      code: "BATON-STORE-010",
      message: expect.stringContaining(why),
      mayPass: false,
    });
  });

  it("is not created where its folder is missing, and the store stays unencrypted", async () => {
    const folder = scratchForTest();
    const [directory, key] = [join(folder, "data"), join(folder, "keys", "hub.key")];
    await expect(openSqliteStore({ directory, key })).rejects.toMatchObject({
      code: "BATON-STORE-010",
      fix: expect.stringContaining(join(folder, "keys")),
    });
    mkdirSync(join(folder, "keys"));
    await makeStore(directory, key);
    expect(await checkSqlite(directory, key)).toEqual([]);
  });

  it("is refused at the start when it belongs to another store", async () => {
    const [one, other] = [scratchForTest(), scratchForTest()];
    await makeStore(one);
    await makeStore(other);
    renameSync(storeFiles(other).key, storeFiles(one).key);
    await expect(openSqliteStore({ directory: one })).rejects.toMatchObject({
      code: "BATON-STORE-011",
      mayPass: false,
      fix: expect.stringContaining("--store-key"),
    });
  });
});

describe("the cipher", () => {
  const cipher = new StoreCipher(Buffer.alloc(32, 1));

  it("decrypts each value of a batch on its own, at any length", () => {
    const lists = fc.array(fc.uint8Array({ maxLength: 100 }), { minLength: 1, maxLength: 20 });
    const encryptor = new BatchEncryptor(cipher);
    fc.assert(
      fc.property(lists, (values) => {
        encryptor.begin();
        const slots = values.map((value) => encryptor.add(value));
        encryptor.encrypt();
        for (const [place, value] of values.entries()) {
          const encrypted = encryptor.take(slots[place] ?? { start: 0, end: 0 });
          expect(encrypted).toHaveLength(16 + value.length);
          expect(Buffer.compare(cipher.decrypt(encrypted), value)).toBe(0);
        }
      }),
    );
  });

  it("never uses a counter twice, across batches and encryptors", () => {
    const seen = new Set<string>();
    const nonces = new Set<string>();
    for (let encryptors = 0; encryptors < 3; encryptors++) {
      const encryptor = new BatchEncryptor(cipher);
      for (let batches = 0; batches < 20; batches++) {
        encryptor.begin();
        const slots = [0, 1, 16, 33].map((length) => encryptor.add(new Uint8Array(length)));
        encryptor.encrypt();
        for (const slot of slots) {
          const encrypted = Buffer.from(encryptor.take(slot));
          const nonce = encrypted.toString("hex", 0, 12);
          nonces.add(nonce);
          const first = encrypted.readUInt32BE(12);
          for (let place = 0; place < Math.ceil((encrypted.length - 16) / 16); place++) {
            const counter = `${nonce} ${first + place}`;
            expect(seen.has(counter)).toBe(false);
            seen.add(counter);
          }
        }
      }
    }
    expect(nonces.size).toBe(3);
  });

  it("encrypts an id to the same text every time, and detects a changed one", () => {
    const ids = new IdCipher(cipher);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ minLength: 1 }), (id, pipelineId) => {
        expect(cipher.decryptId(cipher.encryptId(id))).toBe(id);
        expect(cipher.encryptId(id)).toBe(cipher.encryptId(id));
        for (const timerId of [id, `timeout ${pipelineId}/${id}/1`, `\u0000${pipelineId}\u0000`])
          expect(ids.decryptTimerId(pipelineId, ids.encryptTimerId(pipelineId, timerId))).toBe(timerId);
      }),
    );
    const encrypted = cipher.encryptId("deadline");
    const changed = `${encrypted[0] === "A" ? "B" : "A"}${encrypted.slice(1)}`;
    expect(cipher.decryptId(changed)).toBeUndefined();
    expect(() => ids.decrypt(changed)).toThrow(expect.objectContaining({ code: "BATON-STORE-003" }));
  });
});
