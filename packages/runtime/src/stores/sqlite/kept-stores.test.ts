import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  AuditEntrySchema,
  ListEscalationsRequestSchema,
  PipelineStatus,
  ResolveEscalationRequestSchema,
  ResumePipelineRequestSchema,
} from "@baton/contract";
import { verifyChain } from "@baton/kernel";
import { create, fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, reaches, read, TestAgent, testHub } from "../../../testing/index.ts";
import type { Store } from "../../ports/store.ts";
import { checkSqlite } from "./check.ts";
import { newestVersion } from "./migrate.ts";
import { keptStore, unpackKept } from "./testing/kept-stores.ts";
import { openForTest, scratchForTest } from "./testing/scratch.ts";
import { pipelinesOf, story } from "./testing/told-story.ts";

const versions = Array.from({ length: newestVersion }, (_, before) => before + 1);

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

describe.each(versions)("a store that a hub has left with tables of version %i", (version) => {
  const unpacked = () => {
    const directory = scratchForTest();
    unpackKept(version, directory);
    return directory;
  };

  it("is kept; record-store.ts beside it writes one", () => {
    expect(existsSync(keptStore(version))).toBe(true);
  });

  it("[PIP-11] has no faults, before and after it was brought to the newest version", async () => {
    const directory = unpacked();
    expect(await checkSqlite(directory)).toEqual([]);
    const store = await openForTest(directory);
    expect(await store.check()).toEqual([]);
  });

  it("[PIP-11] shows its pipelines as they were, and its whole audit record", async () => {
    const { store, hub } = await openHub(unpacked());
    const pipelines = await pipelinesOf(hub);
    expect(Object.fromEntries([...pipelines].map(([name, { status }]) => [name, status]))).toEqual(story);
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
    const { store, hub } = await openHub(unpacked());
    const pipelines = await pipelinesOf(hub);
    const idOf = (name: keyof typeof story) => pipelines.get(name)?.pipelineId ?? "";
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
    for (const name of ["waiting", "paused", "asked"] as const) {
      expect(await reaches(hub, idOf(name), PipelineStatus.COMPLETED)).toMatchObject({ pipelineName: name });
    }
    expect(await store.check()).toEqual([]);
  });
});
