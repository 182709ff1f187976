import {
  type GetSpendRequest,
  GetSpendResponseSchema,
  RaiseSpendLimitResponseSchema,
  SpendPeriod,
  type SpendRow,
  SpendRowSchema,
  type TenantSpendLimit,
  TenantSpendLimitSchema,
} from "@baton/contract";
import { dayOf, limitsOfTenant, roomsOf } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { fleetRefusal } from "../../agents/accept.ts";
import { available } from "../../ports/available.ts";
import { HubError } from "../../ports/hub-error.ts";
import type { SpendGroup as StoredGroup, SpendRow as StoredRow } from "../../ports/store.ts";
import type { HubContext } from "../context.ts";
import type { Hub } from "../hub.ts";

type SpendCalls = Pick<Hub, "getSpend" | "raiseSpendLimit">;

const dayMs = 86_400_000;
/** Days that are read unless others are named, and at most; rows of an answer. */
const spendLimits = { defaultDays: 30, days: 400, rows: 1_000 };

function groupsOf({ byDay, byModel, byPack, byTemplate }: GetSpendRequest): readonly StoredGroup[] {
  return [
    ...(byDay ? (["day"] as const) : []),
    ...(byModel ? (["model"] as const) : []),
    ...(byPack ? (["pack"] as const) : []),
    ...(byTemplate ? (["template"] as const) : []),
  ];
}

/** What the caller's tenant spent, and its limits (SAC-12). */
export function spendCalls({ engine, store, configuration }: HubContext): SpendCalls {
  const limitsOf = (tenantId: string): TenantSpendLimit[] => {
    const allowance = engine.allowance(tenantId);
    if (!allowance) return [];
    return roomsOf(allowance, engine.nowMs).map(({ period, kind, limit, spent, held, resetsAtMs }) =>
      create(TenantSpendLimitSchema, {
        period: period === "day" ? SpendPeriod.DAY : SpendPeriod.MONTH,
        isMoney: kind === "costMicroUsd",
        limit: BigInt(limit),
        raised: BigInt(allowance.raised[kind]),
        spent: BigInt(spent),
        reserved: BigInt(Math.max(0, held)),
        resetsAt: timestampFromMs(resetsAtMs),
      }),
    );
  };
  return {
    async getSpend({ tenantId }, request) {
      const toDay = readDay("to_day", request.toDay) ?? dayOf(engine.nowMs);
      const fromDay = readDay("from_day", request.fromDay) ?? toDay - spendLimits.defaultDays + 1;
      if (fromDay > toDay) throw badField("from_day", "it is after to_day", "name an earlier day");
      if (toDay - fromDay >= spendLimits.days)
        throw badField("from_day", `more than ${spendLimits.days} days are asked for`, "name a later day");
      const groupBy = groupsOf(request);
      const query = { tenantId, fromDay, toDay };
      const found = await available(store.spend({ ...query, groupBy, limit: spendLimits.rows + 1 }));
      const [total] = await available(store.spend({ ...query, groupBy: [], limit: 1 }));
      return create(GetSpendResponseSchema, {
        rows: found.slice(0, spendLimits.rows).map((row) => rowView(row, groupBy)),
        total: total ? rowView(total, []) : create(SpendRowSchema, { usage: {} }),
        moreRows: found.length > spendLimits.rows,
        fromDay: dayText(fromDay),
        toDay: dayText(toDay),
        limits: limitsOf(tenantId),
      });
    },

    async raiseSpendLimit({ tenantId, id, kind }, { tokens, costMicroUsd, reason }) {
      if (kind === "agent") {
        throw new HubError("denied", "BATON-PIPELINE-004", "an agent cannot raise what it may spend", {
          fix: "use a person's key",
        });
      }
      const amounts = {
        ...(tokens !== undefined && { tokens: Number(tokens) }),
        ...(costMicroUsd !== undefined && { costMicroUsd: Number(costMicroUsd) }),
      };
      const limits = limitsOfTenant(configuration.spendLimits, tenantId);
      const input = { kind: "raise-spend", amounts, limits, by: id, reason } as const;
      const problem = await available(engine.submitFleet(tenantId, input));
      if (problem) throw fleetRefusal(problem);
      return create(RaiseSpendLimitResponseSchema, { limits: limitsOf(tenantId) });
    },
  };
}

function rowView(row: StoredRow, groupBy: readonly StoredGroup[]): SpendRow {
  return create(SpendRowSchema, {
    day: groupBy.includes("day") ? dayText(row.day) : "",
    provider: row.provider,
    model: row.model,
    packId: row.packId,
    templateId: row.templateId,
    calls: BigInt(row.calls),
    usage: {
      inputTokens: BigInt(row.inputTokens),
      outputTokens: BigInt(row.outputTokens),
      costMicroUsd: BigInt(row.costMicroUsd),
      cacheReadTokens: BigInt(row.cacheReadTokens),
      cacheWriteTokens: BigInt(row.cacheWriteTokens),
      reasoningTokens: BigInt(row.reasoningTokens),
      costUnknown: row.costUnknown,
    },
  });
}

function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Undefined for an empty text. */
function readDay(field: string, text: string): number | undefined {
  if (text === "") return undefined;
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const day = dayOf(ms);
  if (!Number.isNaN(ms) && day >= 0 && dayText(day) === text) return day;
  throw badField(field, "it is no day", "write it as in 2026-03-14");
}

function badField(field: string, message: string, fix: string): HubError {
  return new HubError("invalid", "BATON-QUERY-001", `${field}: ${message}`, {
    fix,
    violations: [{ field, rule: "BATON-QUERY-001", message }],
  });
}
