import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import {
  AuditEntrySchema,
  GetTransitionsRequestSchema,
  GetTurnsRequestSchema,
  ListEscalationsRequestSchema,
  PipelineStatus,
  ResolveEscalationRequestSchema,
  ResumePipelineRequestSchema,
  RewindPipelineRequestSchema,
} from "@baton/contract";
import { verifyChain } from "@baton/kernel";
import type { TurnEnvelope } from "@baton/protocols/saop";
import { create, fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, reaches, read, TestAgent, testHub } from "../../../testing/index.ts";
import type { Store } from "../../ports/store.ts";
import { storeFiles } from "./files.ts";
import { checkSqlite } from "./maintenance/check.ts";
import { newestVersion } from "./schema/migrate.ts";
import { olderStore, unpackOlder } from "./testing/older-stores.ts";
import { openForTest, scratchForTest } from "./testing/scratch.ts";
import { pipelinesOf, sinceSteps, storyOf } from "./testing/story.ts";
import { writeStory } from "./testing/write-story.ts";

const versions = Array.from({ length: newestVersion }, (_, before) => before + 1);
const next = newestVersion + 1;

/** The last version is not kept yet: it is what would be recorded for the tables that come next, in those of now. */
async function unpacked(version: number): Promise<string> {
  const directory = scratchForTest();
  if (version === next) await writeStory(directory);
  else unpackOlder(version, directory);
  return directory;
}

async function openHub(directory: string) {
  const store = await openForTest(directory);
  const hub = await testHub({ store });
  onTestFinished(() => hub.drain(0));
  return { store, hub };
}

async function auditOf(store: Store) {
  const orderBy = [{ field: "sequence", descending: false }] as const;
  const rows = await store.auditEntries({
    ...{ tenantId: ada.tenantId, where: [], orderBy, after: undefined, limit: 1_000 },
  });
  return rows.map(({ entry }) => fromBinary(AuditEntrySchema, entry));
}

describe.each(versions)("a store with tables of version %i", (version) => {
  it("is kept; record-store.ts beside it writes one", () => {
    expect(existsSync(olderStore(version))).toBe(true);
  });
});

describe.each([...versions, next])("a store that a hub has left with tables of version %i", (version) => {
  it("[PIP-11] has no faults, before and after it was brought to the newest version", async () => {
    const directory = await unpacked(version);
    expect(await checkSqlite(directory)).toEqual([]);
    const store = await openForTest(directory);
    expect(await store.check()).toEqual([]);
  });

  it("[PIP-11] shows its pipelines as they were, and its whole audit record", async () => {
    const { store, hub } = await openHub(await unpacked(version));
    const pipelines = await pipelinesOf(hub);
    expect(Object.fromEntries([...pipelines].map(([name, { status }]) => [name, status]))).toEqual(
      storyOf(version),
    );
    const { pipelineId = "" } = pipelines.get("completed") ?? {};
    const completed = await read(hub, pipelineId);
    expect(completed.stages.map(({ stageId, attemptNumber }) => [stageId, attemptNumber])).toEqual([
      ["first", 1],
      ["second", 1],
    ]);
    const digest = (bytes: Uint8Array) => hash("sha256", bytes, "buffer");
    const entries = await auditOf(store);
    expect(entries.length).toBeGreaterThan(20);
    expect(verifyChain(entries, { tenantId: ada.tenantId, digest })).toMatchObject({ valid: true });
  });

  it("[PIP-11] goes on with the pipelines that are open", async () => {
    const { store, hub } = await openHub(await unpacked(version));
    const pipelines = await pipelinesOf(hub);
    const idOf = (name: string) => pipelines.get(name)?.pipelineId ?? "";
    const worker = new TestAgent(hub, { packId: "dev", maxTasks: 10 });
    onTestFinished(() => worker.vanish());
    await hub.resumePipeline(
      ada,
      create(ResumePipelineRequestSchema, { pipelineId: idOf("paused"), reason: "back" }),
    );
    const { escalations } = await hub.listEscalations(ada, create(ListEscalationsRequestSchema));
    expect(escalations).toHaveLength(1);
    const escalationId = escalations[0]?.escalationId ?? "";
    await hub.resolveEscalation(
      ada,
      create(ResolveEscalationRequestSchema, {
        escalationId,
        resolution: "resume",
        reason: "as the test wants it",
      }),
    );
    const open = ["waiting", "paused", "asked", "rewound"].filter((name) => pipelines.has(name));
    for (const name of open) {
      expect(await reaches(hub, idOf(name), PipelineStatus.COMPLETED)).toMatchObject({ pipelineName: name });
    }
    expect(await store.check()).toEqual([]);
  });
});

const withSteps = [...versions, next].filter((version) => version >= sinceSteps);

describe.each(withSteps)("a store of version %i in which an agent had reported a step", (version) => {
  it("[PIP-11] gives it to the next attempt", async () => {
    const { hub } = await openHub(await unpacked(version));
    const worker = new TestAgent(hub, { packId: "dev", maxTasks: 10 });
    onTestFinished(() => worker.vanish());
    const { pipelineId = "" } = (await pipelinesOf(hub)).get("waiting") ?? {};
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const second = worker.envelopes.find(
      ({ execution }) => execution?.dispatchId === `${pipelineId}/first/2`,
    );
    expect(second?.steps?.steps).toMatchObject([{ name: "paid", valueJson: '{"text":"kept"}' }]);
  });
});

const withRewind = [...versions, next].filter((version) => "rewound" in storyOf(version));

describe.each(withRewind)("a store of version %i in which a pipeline was rewound", (version) => {
  it("[PIP-11] [TUR-02] has turns whose task joins the table of tasks, and that are otherwise as they were", async () => {
    const directory = await unpacked(version);
    const select = "SELECT envelope_json, dispatch_id FROM agent_logs ORDER BY n";
    const read = (sql: string) => {
      const db = new DatabaseSync(storeFiles(directory).database);
      const rows = db.prepare(sql).all();
      db.close();
      return rows;
    };
    const parsed = () =>
      read(select).map(({ envelope_json: envelope }) => JSON.parse(String(envelope)) as TurnEnvelope);
    const before = parsed();
    expect(before.length).toBeGreaterThan(1);
    const store = await openForTest(directory);
    await store.close();
    const joined = read(
      `SELECT l.dispatch_id, t.id FROM agent_logs l
        JOIN tasks t ON t.id = json_extract(l.envelope_json, '$.metadata.task_id') AND t.id = l.task_id ORDER BY l.n`,
    );
    expect(joined).toHaveLength(before.length);
    for (const { id, dispatch_id: dispatchId } of joined) expect(dispatchId).toBe(`${id}/1`);
    const withoutTask = ({ metadata, ...turn }: TurnEnvelope) => ({
      ...turn,
      metadata: { ...metadata, task_id: "" },
    });
    expect(parsed().map(withoutTask)).toEqual(before.map(withoutTask));
    expect(() => read("UPDATE agent_logs SET pack_id = 'other' RETURNING n")).toThrow("never changed");
  });

  it("[PIP-11] [TUR-02] [TUR-08] has what agents said, and a rewound pipeline returns to what it left", async () => {
    const { hub } = await openHub(await unpacked(version));
    const { pipelineId = "" } = (await pipelinesOf(hub)).get("rewound") ?? {};
    const { turns } = await hub.getTurns(ada, create(GetTurnsRequestSchema, { pipelineId }));
    expect(turns.map(({ stageId, attemptNumber }) => `${stageId} ${attemptNumber}`)).toEqual([
      "first 1",
      "second 1",
    ]);
    const { transitions } = await hub.getTransitions(
      ada,
      create(GetTransitionsRequestSchema, { pipelineId }),
    );
    const end = transitions.findLast(({ abandoned, toStatus }) => abandoned && toStatus === "COMPLETED");
    const asked = { pipelineId, toRevision: end?.revision ?? 0n, reason: "it was right" };
    await hub.rewindPipeline(ada, create(RewindPipelineRequestSchema, asked));
    const { status, stages } = await read(hub, pipelineId);
    expect([status, ...stages.map(({ attemptNumber }) => attemptNumber)]).toEqual([
      ...[PipelineStatus.COMPLETED, 1, 1],
    ]);
  });
});
