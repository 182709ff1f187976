import { hash } from "node:crypto";
import { existsSync } from "node:fs";
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
import { create, fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, reaches, read, TestAgent, testHub } from "../../../testing/index.ts";
import type { Store } from "../../ports/store.ts";
import { checkSqlite } from "./check.ts";
import { newestVersion } from "./migrate.ts";
import { keptStore, unpackKept } from "./testing/kept-stores.ts";
import { openForTest, scratchForTest } from "./testing/scratch.ts";
import { tellStore } from "./testing/tell-store.ts";
import { pipelinesOf, storyOf } from "./testing/told-story.ts";

const versions = Array.from({ length: newestVersion }, (_, before) => before + 1);
const next = newestVersion + 1;

/** The last version is not kept yet: it is what would be recorded for the tables that come next, in those of now. */
async function unpacked(version: number): Promise<string> {
  const directory = scratchForTest();
  if (version === next) await tellStore(directory);
  else unpackKept(version, directory);
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
    expect(existsSync(keptStore(version))).toBe(true);
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

const withRewind = [...versions, next].filter((version) => "rewound" in storyOf(version));

describe.each(withRewind)("a store of version %i in which a pipeline was rewound", (version) => {
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
