import {
  type GetSpendResponse,
  SpendPeriod,
  type SpendRow,
  type TenantSpendLimit,
} from "@baton/contract/forms";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { piece } from "../../terminal/paint.ts";
import { type Column, type Row, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { describeCost, grouped } from "../runs/summary.ts";

export const spendGroups = ["day", "model", "agent", "template"] as const;
export type SpendGroup = (typeof spendGroups)[number];

const headings: Readonly<Record<SpendGroup, Column>> = {
  day: { heading: "DAY" },
  model: { heading: "MODEL", flexible: true },
  agent: { heading: "AGENT", flexible: true },
  template: { heading: "TEMPLATE", flexible: true },
};

/** A row for each combination, the sum, and the limits. */
export function renderSpend(
  terminal: Terminal,
  { rows, total, limits, moreRows }: GetSpendResponse,
  groups: readonly SpendGroup[],
): readonly string[] {
  const columns: readonly Column[] = [
    ...groups.map((group) => headings[group]),
    { heading: "CALLS", right: true, spare: true },
    { heading: "INPUT", right: true },
    { heading: "CACHED", right: true, spare: true },
    { heading: "OUTPUT", right: true },
    { heading: "COST", right: true },
  ];
  const lines = rows.map(
    (row): Row => [...groups.map((group) => piece(nameOf(row, group))), ...amountsOf(row)],
  );
  const sum: Row[] = total
    ? [[...groups.map((_, at) => piece(at === 0 ? "total" : "", "strong")), ...amountsOf(total)]]
    : [];
  return [
    ...renderTable(terminal, columns, [...lines, ...sum]),
    ...(moreRows ? ["There are more rows: ask for fewer days, or by less at once."] : []),
    ...(limits.length > 0 ? ["", ...renderLimits(terminal, limits)] : []),
  ];
}

/** What the tenant may spend today and this month. */
export function renderLimits(terminal: Terminal, limits: readonly TenantSpendLimit[]): readonly string[] {
  const columns: readonly Column[] = [
    { heading: "LIMIT" },
    { heading: "SPENT", right: true },
    { heading: "RESERVED", right: true, spare: true },
    { heading: "OF", right: true },
    { heading: "RESETS", flexible: true },
  ];
  const rows = limits.map(({ period, isMoney, limit, raised, spent, reserved, resetsAt }): Row => {
    const amount = (number: bigint) => (isMoney ? dollars(number) : `${grouped(number)} tokens`);
    const at = resetsAt ? `${timestampDate(resetsAt).toISOString().slice(0, 16)}Z` : "";
    return [
      piece(period === SpendPeriod.MONTH ? "month" : "day"),
      piece(amount(spent), spent >= limit ? "bad" : "plain"),
      piece(amount(reserved)),
      piece(`${amount(limit)}${raised > 0n ? `, ${amount(raised)} of it for today` : ""}`),
      piece(at),
    ];
  });
  return renderTable(terminal, columns, rows);
}

function amountsOf({ calls, usage }: SpendRow): Row {
  if (!usage) return [];
  return [
    piece(calls > 0n ? grouped(calls) : ""),
    piece(grouped(usage.inputTokens)),
    piece(usage.cacheReadTokens > 0n ? grouped(usage.cacheReadTokens) : ""),
    piece(grouped(usage.outputTokens)),
    piece(describeCost(usage) || "none stated"),
  ];
}

function nameOf(row: SpendRow, group: SpendGroup): string {
  if (group === "day") return row.day;
  if (group === "agent") return row.packId;
  if (group === "template") return row.templateId || "(no template)";
  return [row.provider, row.model].filter(Boolean).join("/") || "(not stated)";
}

function dollars(micro: bigint): string {
  return `$${(Number(micro) / 1e6).toFixed(2)}`;
}
