import type { Comparable, Query } from "@baton/runtime";

/** What a query asks for, without pages. */
export function naiveSelect<Field extends string, Row extends { readonly tenantId: string }>(
  rows: readonly Row[],
  { tenantId, where, orderBy }: Pick<Query<Field>, "tenantId" | "where" | "orderBy">,
  read: (row: Row, field: Field) => Comparable,
): Row[] {
  return rows
    .filter((row) => row.tenantId === tenantId)
    .filter((row) =>
      where.every(({ field, operator, value }) => {
        const sign = compare(read(row, field), value);
        return {
          "=": sign === 0,
          "!=": sign !== 0,
          "<": sign < 0,
          "<=": sign <= 0,
          ">": sign > 0,
          ">=": sign >= 0,
          "~": lower(String(read(row, field))).includes(lower(String(value))),
        }[operator];
      }),
    )
    .toSorted((a, b) => {
      for (const { field, descending } of orderBy) {
        const sign = compare(read(a, field), read(b, field));
        if (sign !== 0) return descending ? -sign : sign;
      }
      return 0;
    });
}

function compare(a: Comparable, b: Comparable): number {
  if (typeof a !== "string" || typeof b !== "string") return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [codePoints(a), codePoints(b)];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function codePoints(text: string): number[] {
  return [...text].map((character) => character.codePointAt(0) ?? 0);
}
