/** The suite is worth what it finds: each planted fault fails the row that it belongs to. */
import { describe, expect, it, onTestFinished } from "vitest";
import { checkEndpoint } from "./suite.ts";
import { type Fault, plainEndpoint } from "./testing/plain-endpoint.ts";

async function failuresOf(...faults: readonly Fault[]) {
  const { address, close } = await plainEndpoint(...faults);
  onTestFinished(() => void close());
  const keys = { key: "one", otherKey: "other" };
  const reports = await checkEndpoint({ address, capability: "consult.align", patienceMs: 60_000, ...keys });
  expect(reports).toHaveLength(8);
  return Object.fromEntries(
    reports.filter(({ verdict }) => verdict === "fail").map(({ id, detail }) => [id, detail]),
  );
}

describe("an endpoint", () => {
  it("[SAP-11] that is plain passes every row", async () => {
    expect(await failuresOf()).toEqual({});
  });

  it.each<[Fault, string, RegExp]>([
    ["loses-correlation", "correlation", /^sent a Task; expected its ids in every Result; saw \{/],
    ["gives-no-evidence", "evidence", /expected alignment in every Result/],
    ["writes-fractions", "ids-and-times", /expected reportedAt as YYYY-MM-DDTHH:MM:SSZ; saw .*\.\d{3}Z/],
    ["crosses-tenants", "cache-policy", /^sent mode only as another tenant; expected no hit/],
    ["needs-no-context", "context", /^sent a Task without pressureLevel; expected a status of 4xx/],
    ["computes-for-only", "cache-policy", /expected FAILED with CACHE_MISS/],
    ["fails-without-a-message", "errors", /^sent a Task that fails; expected error\.message/],
    ["takes-other-content", "errors", /^sent another Task with the same taskId/],
    ["emits-no-metrics", "learning", /expected metrics with numbers/],
    ["takes-any-id", "ids-and-times", /^sent a taskId of the wrong variant/],
  ])("[SAP-11] that %s is found out by the row %s", async (fault, row, detail) => {
    expect((await failuresOf(fault))[row]).toMatch(detail);
  });
});
