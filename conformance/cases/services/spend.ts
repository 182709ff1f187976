/** The spending of a tenant: calls of InspectionService and OrchestratorService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, valid } from "../case.ts";

const longest = 2_048;
const most = "1000000000000000";
const limit: JsonObject = {
  period: "SPEND_PERIOD_DAY",
  isMoney: true,
  limit: "20000000",
  raised: "5000000",
  spent: "12500000",
  reserved: "1000000",
  resetsAt: "2026-07-02T00:00:00Z",
};
const usage: JsonObject = { inputTokens: "120000", outputTokens: "8000", costMicroUsd: "640000" };
const row: JsonObject = {
  day: "2026-07-01",
  provider: "anthropic",
  model: "claude-sonnet",
  packId: "senior-dev",
  templateId: "ship-it",
  calls: "12",
  usage,
};

export const spendCases: readonly Case[] = [
  valid("get-spend-request", "GetSpendRequest", "By everything, between two days.", {
    fromDay: "2026-06-01",
    toDay: "2026-07-01",
    ...{ byDay: true, byModel: true, byPack: true, byTemplate: true },
  }),
  valid("get-spend-request-empty", "GetSpendRequest", "The sum of the last thirty days.", {}),
  valid("get-spend-response", "GetSpendResponse", "A row, the sum of all, and a limit.", {
    rows: [row],
    total: { calls: "90", usage: { ...usage, costUnknown: true } },
    moreRows: true,
    fromDay: "2026-06-01",
    toDay: "2026-07-01",
    limits: [limit, { period: "SPEND_PERIOD_MONTH", limit: "5000000", resetsAt: "1970-01-01T00:00:00Z" }],
  }),
  valid("get-spend-response-empty", "GetSpendResponse", "Nothing was spent, and nothing is limited.", {}),
  valid("get-spend-response-hollow", "GetSpendResponse", "A row, a sum and a limit without fields.", {
    rows: [{ usage: {} }],
    total: {},
    limits: [{}],
  }),
  ...breaks("GetSpendRequest", {}, [
    ["from_day", "2026-06-011", "string.max_len", "More than a day."],
    ["to_day", "2026-06-011", "string.max_len", "More than a day."],
  ]),
  ...breaks("GetSpendResponse", { rows: [row], limits: [limit] }, [
    ["rows[0].calls", "-1", "int64.gte", "Fewer than no calls."],
    ["limits[0].period", 99, "enum.defined_only", "A period that is none."],
    ["limits[0].limit", "-1", "int64.gte", "A limit below zero."],
    ["limits[0].raised", "-1", "int64.gte", "A limit that was lowered."],
    ["limits[0].spent", "-1", "int64.gte", "Less than nothing was spent."],
    ["limits[0].reserved", "-1", "int64.gte", "Less than nothing is reserved."],
  ]),
  valid("raise-spend-limit-request", "RaiseSpendLimitRequest", "Tokens and money, and why.", {
    tokens: "1000000",
    costMicroUsd: "25000000",
    reason: "The release is today",
  }),
  valid(
    "raise-spend-limit-request-longest",
    "RaiseSpendLimitRequest",
    "The longest reason, the most of each.",
    {
      tokens: most,
      costMicroUsd: most,
      reason: "x".repeat(longest),
    },
  ),
  valid(
    "raise-spend-limit-request-least",
    "RaiseSpendLimitRequest",
    "Nothing but a reason: the hub refuses it.",
    {
      reason: "why",
    },
  ),
  valid("raise-spend-limit-response", "RaiseSpendLimitResponse", "The limits.", { limits: [limit] }),
  valid("raise-spend-limit-response-empty", "RaiseSpendLimitResponse", "No limits.", {}),
  valid("raise-spend-limit-response-hollow", "RaiseSpendLimitResponse", "A limit without fields.", {
    limits: [{}],
  }),
  ...breaks("RaiseSpendLimitRequest", { tokens: "1", costMicroUsd: "1", reason: "why" }, [
    ["tokens", "0", "int64.gte", "No tokens more."],
    ["cost_micro_usd", "0", "int64.gte", "No money more."],
    ["reason", "", "string.min_len", "No reason."],
    ["reason", "x".repeat(longest + 1), "string.max_len", "A reason that is too long."],
  ]),
];
