import { describe, expect, it } from "vitest";
import { readSpendLimits } from "./spend-limits.ts";

const read = (spend_limits: unknown) => readSpendLimits({ spend_limits });

describe("the file of spend limits", () => {
  it("[SAC-12] has limits of day and month, for all tenants and for single ones", () => {
    const reading = read({
      daily: { tokens: 5_000_000, usd: 20.5 },
      monthly: { usd: 300 },
      tenants: [{ tenant_id: "acme", daily: { usd: 0 } }, { tenant_id: "ops" }],
    });
    expect(reading).toEqual({
      ok: true,
      limits: {
        others: {
          daily: { tokens: 5_000_000, costMicroUsd: 20_500_000 },
          monthly: { costMicroUsd: 300_000_000 },
        },
        tenants: new Map([
          ["acme", { daily: { costMicroUsd: 0 }, monthly: {} }],
          ["ops", { daily: {}, monthly: {} }],
        ]),
      },
    });
  });

  it.each([
    ["less than nothing", { daily: { tokens: -1 } }, "spend_limits.daily.tokens"],
    ["half a token", { daily: { tokens: 0.5 } }, "spend_limits.daily.tokens"],
    ["money in words", { monthly: { usd: "much" } }, "spend_limits.monthly.usd"],
    ["a misspelt name", { dayly: {} }, "spend_limits.dayly"],
    ["a limit of steps", { daily: { steps: 1 } }, "spend_limits.daily.steps"],
    ["a tenant without a name", { tenants: [{}] }, "spend_limits.tenants[0].tenant_id"],
    [
      "a tenant with an invisible name",
      { tenants: [{ tenant_id: "a\nb" }] },
      "spend_limits.tenants[0].tenant_id",
    ],
    [
      "a tenant twice",
      { tenants: [{ tenant_id: "a" }, { tenant_id: "a" }] },
      "spend_limits.tenants[1].tenant_id",
    ],
    [
      "a day that may spend more than its month",
      { tenants: [{ tenant_id: "a", daily: { usd: 9 }, monthly: { usd: 8 } }] },
      "spend_limits.tenants[0].daily.usd",
    ],
  ])("[SAC-12] is refused with %s, and says where and what to do", (_what, limits, at) => {
    const reading = read(limits);
    expect(reading.ok).toBe(false);
    if (!reading.ok) expect(reading.problems).toMatchObject([{ at, fix: expect.stringMatching(/./) }]);
  });
});
