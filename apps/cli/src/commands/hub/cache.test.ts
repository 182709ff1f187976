import {
  GetCacheRecordResponseSchema,
  ListCacheRecordsResponseSchema,
  RevokeCacheRecordResponseSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { startHub } from "../../../testing/hub-double.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { exitCode } from "../../exit-code.ts";

const key = "d".repeat(64);
const record = {
  cacheKey: key,
  storedAt: timestampFromMs(Date.UTC(2026, 2, 14)),
  capability: "report.write\u001b[2J",
  territory: "EUFM",
  producer: "writer",
  sourceTaskId: "t-1",
  sourcePipelineId: "p-1",
  result: { response: { data: { title: "Caches" } } },
};
const revoked = { cacheKey: key, revocation: { reason: "it is wrong", by: "ada" } };

describe("[SAP-05] baton cache", () => {
  const asked: unknown[] = [];
  const start = () =>
    startHub({
      knowledge: {
        listCacheRecords: (request) => {
          asked.push(request);
          return create(ListCacheRecordsResponseSchema, {
            records: [request.pageToken === "" ? revoked : record],
            nextPageToken: request.pageToken === "" ? "7" : "",
          });
        },
        getCacheRecord: () => create(GetCacheRecordResponseSchema, { record }),
        revokeCacheRecord: (request) => {
          asked.push(request);
          return create(RevokeCacheRecordResponseSchema, { record: revoked });
        },
      },
    });

  it("list prints every page, for people and programs", async () => {
    await using hub = await start();
    const { stdout, code } = await runBaton(["cache", "list"], { hub: hub.url, env: { COLUMNS: "200" } });
    expect(code).toBe(exitCode.ok);
    expect(stdout).toMatch(/^STORED +STATE +CAPABILITY/m);
    expect(stdout).toMatch(new RegExp(`^ +revoked .*${key}$`, "m"));
    expect(stdout).toMatch(/^2026-03-14T00:00:00Z +stored +report\.write/m);
    expect(stdout).not.toContain("\u001b[2J");
    const json = await runBaton(["cache", "list", "--output", "jsonl", "--limit", "1"], { hub: hub.url });
    expect(json.stdout.trim().split("\n")).toHaveLength(1);
    expect(json.stderr).toContain("there are more rows");
  });

  it("show prints the output and the task that it comes from", async () => {
    await using hub = await start();
    const { stdout } = await runBaton(["cache", "show", key], { hub: hub.url });
    expect(stdout).toMatch(/from task +t-1/);
    expect(stdout).toContain('"title": "Caches"');
  });

  it("revoke needs a reason, and prints the revocation", async () => {
    await using hub = await start();
    expect((await runBaton(["cache", "revoke", key], { hub: hub.url })).code).toBe(exitCode.usage);
    const { stdout } = await runBaton(["cache", "revoke", key, "--reason", "it is wrong"], { hub: hub.url });
    expect(asked.at(-1)).toMatchObject({ cacheKey: key, reason: "it is wrong" });
    expect(stdout).toMatch(/revoked by +ada/);
  });
});
