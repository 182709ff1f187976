import { Buffer } from "node:buffer";
import type { Comparable, Comparison, Query } from "../../ports/store.ts";

/** Rows that fulfil a query, in its order. `read` gives the value of a field in a row. */
export function selectRows<Row extends { readonly tenantId: string }, Field extends string>(
  rows: Iterable<Row>,
  { tenantId, where, orderBy, after, limit }: Query<Field>,
  read: (row: Row, field: Field) => Comparable,
): Row[] {
  const order = (row: Row, values: readonly Comparable[]) => {
    for (const [index, { field, descending }] of orderBy.entries()) {
      const value = values[index];
      const sign = value === undefined ? 0 : compareValues(read(row, field), value);
      if (sign !== 0) return descending ? -sign : sign;
    }
    return 0;
  };
  const valuesOf = (row: Row) => orderBy.map(({ field }) => read(row, field));
  return Iterator.from(rows)
    .filter((row) => row.tenantId === tenantId)
    .filter((row) => where.every((comparison) => holds(read(row, comparison.field), comparison)))
    .filter((row) => after === undefined || order(row, after) > 0)
    .toArray()
    .sort((a, b) => order(a, valuesOf(b)))
    .slice(0, limit);
}

function holds<Field extends string>(value: Comparable, comparison: Comparison<Field>): boolean {
  const sign = compareValues(value, comparison.value);
  switch (comparison.operator) {
    case "=":
      return sign === 0;
    case "!=":
      return sign !== 0;
    case "<":
      return sign < 0;
    case "<=":
      return sign <= 0;
    case ">":
      return sign > 0;
    case ">=":
      return sign >= 0;
  }
}

/** JavaScript compares texts by UTF-16 units, which puts some characters elsewhere than their code points do. */
function compareValues(a: Comparable, b: Comparable): number {
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
