import {
  AbortPipelineRequestSchema,
  type AgentInstance,
  defaultLimits,
  encodeJson,
  HealthStatus,
  ListAgentsRequestSchema,
  ListAuditEntriesRequestSchema,
  ListEscalationsRequestSchema,
  ListPipelinesRequestSchema,
  ListPipelinesResponseSchema,
  type Pipeline,
  PipelineStatus,
  ResolveEscalationRequestSchema,
  StageSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ada, planOf, refusalOf, submit, TestAgent, testHub, VirtualClock } from "../../testing/index.ts";
import { pageLimits } from "../query/page.ts";
import type { Hub } from "./hub.ts";

interface Page {
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly filter?: string;
  readonly orderBy?: string;
}

/** Goes from page to page until there is none. */
async function walk<Row>(
  fetch: (page: Page) => Promise<{ readonly rows: readonly Row[]; readonly nextPageToken: string }>,
  page: Page,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let pageToken = ""; ; ) {
    const { rows: found, nextPageToken } = await fetch({ ...page, pageToken });
    if (page.pageSize) expect(found.length).toBeLessThanOrEqual(page.pageSize);
    if (nextPageToken) expect(found.length).toBe(page.pageSize ?? pageLimits.default);
    rows.push(...found);
    if (!nextPageToken) return rows;
    pageToken = nextPageToken;
  }
}

let hub: Hub;
const pipelinesOf = async (page: Page) => {
  const { pipelines, nextPageToken } = await hub.listPipelines(ada, create(ListPipelinesRequestSchema, page));
  return { rows: pipelines, nextPageToken };
};
const auditOf = async (page: Page) => {
  const { entries, nextPageToken } = await hub.listAuditEntries(
    ada,
    create(ListAuditEntriesRequestSchema, page),
  );
  return { rows: entries, nextPageToken };
};
const escalationsOf = async (page: Page) => {
  const { escalations, nextPageToken } = await hub.listEscalations(
    ada,
    create(ListEscalationsRequestSchema, page),
  );
  return { rows: escalations, nextPageToken };
};
const agentsOf = async (page: Page) => {
  const { agents, nextPageToken } = await hub.listAgents(ada, create(ListAgentsRequestSchema, page));
  return { rows: agents, nextPageToken };
};

const titles = ["b", "a", "B", "ä", "𝒳", "\uffff", "a", "", "b b", 'say "so"', "z", "a"];

beforeAll(async () => {
  const clock = new VirtualClock();
  hub = await testHub({ clock });
  for (const [n, title] of titles.entries()) {
    const contract = { taskId: `t-${n}`, title: title || "-", acceptanceCriteria: ["so"] };
    // Nobody can take it, so a person is asked.
    const pipelineId = await submit(hub, { idempotencyKey: `key-${n}`, contract });
    if (n % 3 === 0)
      await hub.abortPipeline(ada, create(AbortPipelineRequestSchema, { pipelineId, reason: "so" }));
    if (n % 2 === 0) await clock.pass(1_000);
  }
  for (const instanceId of ["one", "two", "three"]) {
    await new TestAgent(hub, { packId: "qa", instanceId }).receive("welcome");
    await new TestAgent(hub, { packId: "dancer", instanceId }).receive("welcome");
  }
});

describe("the list of pipelines", () => {
  const fields: Readonly<Record<string, (pipeline: Pipeline) => string | number>> = {
    pipeline_id: ({ pipelineId }) => pipelineId,
    pipeline_name: ({ pipelineName }) => pipelineName,
    status: ({ status }) => PipelineStatus[status] ?? "",
    created_at: ({ createdAt }) => (createdAt ? timestampMs(createdAt) : 0),
    updated_at: ({ updatedAt }) => (updatedAt ? timestampMs(updatedAt) : 0),
  };
  const compare = (a: string | number, b: string | number) =>
    typeof a === "number" && typeof b === "number"
      ? a - b
      : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));

  it("returns every pipeline once, for every order, filter and page size", async () => {
    const all = await walk(pipelinesOf, { pageSize: 1_000 });
    expect(all).toHaveLength(titles.length);
    const names = Object.keys(fields);
    const order = fc
      .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
      .chain((chosen) => fc.tuple(...chosen.map((name) => fc.tuple(fc.constant(name), fc.boolean()))));
    const filter = fc.constantFrom(
      { text: "", holds: () => true },
      { text: "ended = false", holds: ({ status }: Pipeline) => status === PipelineStatus.RUNNING },
      {
        text: 'pipeline_name != "a" AND status = PIPELINE_STATUS_ABORTED',
        holds: (one: Pipeline) => one.pipelineName !== "a" && one.status === PipelineStatus.ABORTED,
      },
      { text: 'pipeline_name >= "b"', holds: (one: Pipeline) => compare(one.pipelineName, "b") >= 0 },
      {
        // Nobody can take them, so that each asks until it is aborted.
        text: "waits_for_person = true",
        holds: ({ status }: Pipeline) => status === PipelineStatus.RUNNING,
      },
      {
        text: "created_at < 2026-01-01T00:00:03Z",
        holds: (one: Pipeline) => compare(fields.created_at?.(one) ?? 0, Date.UTC(2026, 0, 1, 0, 0, 3)) < 0,
      },
    );
    await fc.assert(
      fc.asyncProperty(
        order,
        filter,
        fc.integer({ min: 1, max: 5 }),
        async (by, { text, holds }, pageSize) => {
          const orderBy = by.map(([name, down]) => `${name}${down ? " desc" : ""}`).join(", ");
          const rows = await walk(pipelinesOf, { pageSize, filter: text, orderBy });
          const lastDown = by.at(-1)?.[1] ?? false;
          const expected = all.filter(holds).toSorted((a, b) => {
            for (const [name, down] of [...by, ["pipeline_id", lastDown] as const]) {
              const read = fields[name];
              const sign = read ? compare(read(a), read(b)) : 0;
              if (sign !== 0) return down ? -sign : sign;
            }
            return 0;
          });
          expect(rows.map(({ pipelineId }) => pipelineId)).toEqual(
            expected.map(({ pipelineId }) => pipelineId),
          );
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it("starts with the newest, omits results of stages, and has fifty rows by default", async () => {
    const { rows } = await pipelinesOf({});
    const times = rows.map(({ createdAt }) => (createdAt ? timestampMs(createdAt) : 0));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(rows.flatMap(({ stages }) => stages.flatMap(({ result }) => result ?? []))).toEqual([]);
    expect(pageLimits).toMatchObject({ default: 50, max: 1_000 });
    expect((await pipelinesOf({ pageSize: 1_000_000 })).rows).toHaveLength(titles.length);
  });

  it.each([
    ["name", "name"],
    ["created_at up", "created_at up"],
    ["created_at desc desc", "created_at desc desc"],
    ["created_at,", ""],
    ["__proto__", "__proto__"],
    ["constructor", "constructor"],
  ])("cannot be ordered by %s, and says so", async (orderBy, part) => {
    const refused = await refusalOf(pipelinesOf({ orderBy }));
    expect(refused).toMatchObject({ kind: "invalid", code: "BATON-QUERY-001" });
    expect(refused.message).toContain(`order_by: "${part}" is not a field with asc or desc`);
  });

  it("cannot be ordered by a field twice", async () => {
    const refused = await refusalOf(pipelinesOf({ orderBy: "created_at, created_at desc" }));
    expect(refused.message).toContain("names a field twice");
  });
});

describe("a page token", () => {
  it("is of one list, one filter and one order", async () => {
    const { nextPageToken: pageToken } = await pipelinesOf({ pageSize: 1, orderBy: "pipeline_id" });
    const { nextPageToken: ofAudit } = await auditOf({ pageSize: 1, orderBy: "pipeline_id" });
    expect(pageToken).not.toBe("");
    expect(ofAudit).not.toBe("");
    const elsewhere = [
      pipelinesOf({ pageToken }),
      pipelinesOf({ pageToken, orderBy: "pipeline_id desc" }),
      pipelinesOf({ pageToken, orderBy: "pipeline_id", filter: "ended = true" }),
      auditOf({ pageToken, orderBy: "pipeline_id" }),
      escalationsOf({ pageToken, orderBy: "pipeline_id" }),
      escalationsOf({ pageToken: ofAudit, orderBy: "pipeline_id" }),
      agentsOf({ pageToken }),
    ];
    for (const call of elsewhere) {
      const refused = await refusalOf(call);
      expect(refused).toMatchObject({ kind: "invalid", violations: [{ field: "page_token" }] });
    }
    expect((await pipelinesOf({ pageToken, orderBy: "pipeline_id", pageSize: 3 })).rows).toHaveLength(3);
  });

  it("is refused when it was forged", async () => {
    const { nextPageToken } = await pipelinesOf({ pageSize: 1 });
    const [stamp] = JSON.parse(Buffer.from(nextPageToken, "base64url").toString("utf8"));
    const forge = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString("base64url");
    const made = [
      "x",
      "%%%",
      forge(),
      forge(stamp),
      forge(stamp, "not a time", "p"),
      forge(stamp, 1, 2),
      forge(stamp, { n: "x" }, "p"),
      forge(stamp, null, "p"),
      forge(stamp, [1], "p"),
      forge("other", 1, "p"),
    ];
    for (const pageToken of made)
      expect(await refusalOf(pipelinesOf({ pageToken }))).toMatchObject({
        violations: [{ field: "page_token" }],
      });
  });
});

describe("the other lists", () => {
  it("[OBS-02] return every audit entry once, in order", async () => {
    const entries = await walk(auditOf, { pageSize: 7 });
    expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, place) => BigInt(place + 1)));
    const some = await walk(auditOf, {
      pageSize: 4,
      filter: "sequence > 3 AND sequence <= 9",
      orderBy: "sequence desc",
    });
    expect(some.map(({ sequence }) => sequence)).toEqual([9n, 8n, 7n, 6n, 5n, 4n]);
    const created = await walk(auditOf, { pageSize: 5, filter: "event_type = PIPELINE_CREATED" });
    expect(created).toHaveLength(titles.length);
  });

  it("return open and answered escalations", async () => {
    const open = await walk(escalationsOf, { pageSize: 2, filter: "resolved = false" });
    expect(open.length).toBeGreaterThan(3);
    const [first] = open;
    const escalationId = first?.escalationId ?? "";
    const resolution = first?.snapshot?.options[0] ?? "";
    await hub.resolveEscalation(ada, create(ResolveEscalationRequestSchema, { escalationId, resolution }));
    const answered = await walk(escalationsOf, {
      pageSize: 2,
      filter: `resolved = true AND escalation_id = "${escalationId}"`,
    });
    expect(answered).toMatchObject([
      { escalationId, snapshot: { resolution, resolvedBy: "ada" }, resolvedAt: expect.anything() },
    ]);
  });

  it("[DIS-03] return every agent once, also those of two packs with one name", async () => {
    const name = ({ heartbeat }: AgentInstance) => `${heartbeat?.packId}/${heartbeat?.instanceId}`;
    const agents = await walk(agentsOf, { pageSize: 2 });
    expect(agents.map(name)).toEqual([
      "dancer/one",
      "dancer/three",
      "dancer/two",
      "qa/one",
      "qa/three",
      "qa/two",
    ]);
    const byInstance = await walk(agentsOf, { pageSize: 1, orderBy: "instance_id desc" });
    expect(byInstance.map(name)).toEqual([
      "qa/two",
      "dancer/two",
      "qa/three",
      "dancer/three",
      "qa/one",
      "dancer/one",
    ]);
    const healthy = await walk(agentsOf, {
      filter: 'pack_id = "qa" AND health.status = HEALTH_STATUS_HEALTHY AND attached = true',
    });
    expect(healthy.map(({ heartbeat }) => heartbeat?.health?.status)).toEqual(
      Array(3).fill(HealthStatus.HEALTHY),
    );
  });
});

describe("a page of large rows", () => {
  it("ends within the message limit, also as JSON, and the next one continues", async () => {
    const crowded = await testHub();
    const stages = Array.from({ length: 100 }, (_, n) =>
      create(StageSchema, {
        stageId: `stage-${n}`,
        stageName: "\u0001".repeat(200), // Six letters each, in JSON.
        taskType: "nobody-does-this",
      }),
    );
    const submitted: string[] = [];
    for (let n = 0; n < 60; n++) {
      submitted.push(await submit(crowded, { idempotencyKey: `large-${n}`, plan: planOf(stages) }));
    }
    const found: string[] = [];
    let pages = 0;
    for (let pageToken = ""; pages === 0 || pageToken !== ""; pages++) {
      const request = create(ListPipelinesRequestSchema, { pageSize: 1_000, pageToken });
      const page = await crowded.listPipelines(ada, request);
      expect(encodeJson(ListPipelinesResponseSchema, page).length).toBeLessThan(defaultLimits.maxBytes);
      expect(page.pipelines.length).toBeGreaterThan(0);
      found.push(...page.pipelines.map(({ pipelineId }) => pipelineId));
      pageToken = page.nextPageToken;
    }
    expect(pages).toBeGreaterThan(1);
    expect(found.toSorted()).toEqual(submitted.toSorted());
  });
});
