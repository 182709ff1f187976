/** Limits of what a tenant spends a day and a month, in UTC (SAC-12). Pure: the time is an argument. */

/** Tokens, and millionths of a US dollar. Absent is no limit. */
export interface AmountLimit {
  readonly tokens?: number;
  readonly costMicroUsd?: number;
}

export type Amounts = Required<AmountLimit>;

export interface TenantLimits {
  readonly daily: AmountLimit;
  readonly monthly: AmountLimit;
}

/** The limits of all tenants. */
export interface SpendLimits {
  /** For tenants without an entry of their own. */
  readonly others: TenantLimits;
  readonly tenants: ReadonlyMap<string, TenantLimits>;
}

/** What a tenant may spend, and has spent. */
export interface Allowance {
  readonly limits: TenantLimits;
  readonly spentToday: Amounts;
  readonly spentThisMonth: Amounts;
  /** Given to attempts under way. */
  readonly held: Amounts;
  /** Given by a person for today, beyond the limits of day and month. */
  readonly raised: Amounts;
}

export const noAmounts: Amounts = { tokens: 0, costMicroUsd: 0 };
export const amountKinds = ["tokens", "costMicroUsd"] as const;

const noLimits: TenantLimits = { daily: {}, monthly: {} };

export function limitsOfTenant(limits: SpendLimits | undefined, tenantId: string): TenantLimits {
  return limits?.tenants.get(tenantId) ?? limits?.others ?? noLimits;
}

export function isLimited({ daily, monthly }: TenantLimits): boolean {
  return amountKinds.some((kind) => daily[kind] !== undefined || monthly[kind] !== undefined);
}

export function addAmounts(a: Amounts, b: Amounts, sign: 1 | -1 = 1): Amounts {
  return { tokens: a.tokens + sign * b.tokens, costMicroUsd: a.costMicroUsd + sign * b.costMicroUsd };
}

const dayMs = 86_400_000;

/** Days since 1970, in UTC. */
export function dayOf(nowMs: number): number {
  return Math.floor(nowMs / dayMs);
}

/** The first day of the month of a day. */
export function monthStartOf(day: number): number {
  const date = new Date(day * dayMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / dayMs;
}

export type Period = "day" | "month";

/** When the spending of a period counts from zero again. */
export function resetMs(period: Period, nowMs: number): number {
  const date = new Date(nowMs);
  if (period === "day") return (dayOf(nowMs) + 1) * dayMs;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** A limit, what it allows today, and what is left of it. */
export interface PeriodRoom {
  readonly period: Period;
  readonly kind: keyof Amounts;
  /** With what a person has added for today. */
  readonly limit: number;
  readonly spent: number;
  readonly held: number;
  readonly left: number;
  readonly resetsAtMs: number;
}

export function roomsOf(allowance: Allowance, nowMs: number): readonly PeriodRoom[] {
  const { limits, spentToday, spentThisMonth, held, raised } = allowance;
  const periods = [
    ["day", limits.daily, spentToday],
    ["month", limits.monthly, spentThisMonth],
  ] as const;
  return periods.flatMap(([period, limit, spent]) =>
    amountKinds.flatMap((kind): readonly PeriodRoom[] => {
      const configured = limit[kind];
      if (configured === undefined) return [];
      const allowed = configured + raised[kind];
      const left = allowed - spent[kind] - held[kind];
      const resetsAtMs = resetMs(period, nowMs);
      return [{ period, kind, limit: allowed, spent: spent[kind], held: held[kind], left, resetsAtMs }];
    }),
  );
}

/** Of a limit, for an attempt without a budget of its own: one such attempt must not hold all of it. */
export const shareOfLimit = 1 / 10;
/** Of a limit: with less, an attempt waits for others to return what they do not need. */
export const leastOfLimit = 1 / 100;

/** The limit that has no room for an attempt. */
export interface Lack extends PeriodRoom {
  /** Attempts under way may return what they do not need. */
  readonly othersHold: boolean;
}

/** What an attempt gets of the tenant's limits, or the limit that has no room for it. */
export function capGrant<Limit extends AmountLimit>(
  allowance: Allowance,
  granted: Limit,
  needed: AmountLimit,
  nowMs: number,
): { readonly ok: true; readonly granted: Limit } | { readonly ok: false; readonly lack: Lack } {
  const capped: { -readonly [Kind in keyof AmountLimit]: AmountLimit[Kind] } = {};
  for (const room of roomsOf(allowance, nowMs)) {
    const { kind, limit, spent, held, left } = room;
    const least = needed[kind] ?? 1;
    const wanted = Math.max(capped[kind] ?? granted[kind] ?? Math.ceil(limit * shareOfLimit), least);
    const isTooLittle = held > 0 && left < wanted && left < limit * leastOfLimit;
    if (left < least || isTooLittle)
      return { ok: false, lack: { ...room, othersHold: held > 0 && spent < limit } };
    capped[kind] = Math.min(wanted, left);
  }
  return { ok: true, granted: { ...granted, ...capped } };
}
