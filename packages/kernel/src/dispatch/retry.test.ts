import { RetryPolicySchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { randomFrom } from "../random.ts";
import { backoffMs, retryRules } from "./retry.ts";

const rules = retryRules(
  create(RetryPolicySchema, {
    maxAttempts: 5,
    initialBackoff: durationFromMs(100),
    backoffMultiplier: 3,
    maxBackoff: durationFromMs(1000),
    jitter: 0.5,
  }),
);

describe("backoff", () => {
  it("[DIS-12] grows by the multiplier up to the cap", () => {
    expect([1, 2, 3, 4, 5].map((retry) => backoffMs(retry, rules, 0))).toEqual([100, 300, 900, 1000, 1000]);
    expect(backoffMs(100_000, rules, 0)).toBe(1000);
  });

  it("[DIS-12] is shortened at random by no more than the jitter", () => {
    expect(backoffMs(1, rules, 1)).toBe(50);
    const waits = Array.from({ length: 200 }, (_, seed) => backoffMs(1, rules, randomFrom(seed, "p/a/1")));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(50);
    expect(Math.max(...waits)).toBeLessThanOrEqual(100);
    expect(new Set(waits).size).toBeGreaterThan(20);
  });

  it("[DIS-12] is the same for the same seed", () => {
    expect(randomFrom(7, "p/a/1")).toBe(randomFrom(7, "p/a/1"));
    expect(randomFrom(7, "p/a/1")).not.toBe(randomFrom(8, "p/a/1"));
  });
});
