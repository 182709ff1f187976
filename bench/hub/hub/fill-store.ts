/** Fills a store with pipelines that have ended, as a hub that ran for long would have. */
import { hash } from "node:crypto";
import { type Batch, openSqliteStore, type Transition } from "@baton/runtime";

const [directory = "", count = ""] = process.argv.slice(2);
const store = await openSqliteStore({ directory });
const perBatch = 500;
const tenantId = "local";
let sequence = 0n;
for (let done = 0; done < Number(count); done += perBatch) {
  await store.commit(batchOf(Array.from({ length: perBatch }, (_, place) => done + place)));
}
await store.close();
process.send?.({ filled: Number(count) });
process.exit();

function batchOf(numbers: readonly number[]): Batch {
  return {
    transitions: numbers.map(ended),
    fleet: [],
    audit: numbers.flatMap((number) =>
      ["PIPELINE_CREATED", "PIPELINE_COMPLETED"].map((type) => entry(number, type)),
    ),
    events: [],
    carriedOut: [],
    rung: [],
  };
}

function ended(number: number): Transition {
  const pipelineId = idOf(number);
  const bytes = Buffer.alloc(1_000, number);
  return {
    pipelineId,
    expectedVersion: 0,
    records: { text: `{"form":1,"content":["${"x".repeat(800)}"]}`, count: 15 },
    contents: [{ digest: hash("sha256", bytes, "base64url"), bytes }],
    row: {
      pipelineId,
      tenantId,
      status: "COMPLETED",
      ended: true,
      templateId: "three",
      pipelineName: "three",
      createdAtMs: number,
      updatedAtMs: number,
      view: Buffer.alloc(300, 1),
    },
    commands: [],
    timersSet: [],
    timersCleared: [],
    escalations: [],
  };
}

function entry(number: number, eventType: string): Batch["audit"][number] {
  sequence++;
  const bytes = Buffer.alloc(350, 2);
  return {
    tenantId,
    sequence,
    auditId: `${idOf(number)}/${sequence}`,
    pipelineId: idOf(number),
    eventType,
    atMs: number,
    hash: Buffer.alloc(32, 3),
    entry: bytes,
  };
}

/** As scattered as the ids of a hub. */
function idOf(number: number): string {
  return `p-${hash("sha256", String(number)).slice(0, 20)}`;
}
