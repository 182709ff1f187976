import type { Comparable, Comparison, Query } from "../ports/store.ts";

/** Selects and sorts rows for a query. `read` returns the value of a field. */
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
    case "~":
      return lower(String(value)).includes(lower(String(comparison.value)));
  }
}

/** Like SQLite: folds only A to Z. */
function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function compareValues(a: Comparable, b: Comparable): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares by code points. JavaScript compares UTF-16 units, which sorts supplementary characters before U+E000. */
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left === right) continue;
    const isPlain = left < 0xd800 || right < 0xd800;
    return isPlain ? left - right : ((left + 0x2000) & 0xffff) - ((right + 0x2000) & 0xffff);
  }
  return a.length - b.length;
}
