import { hash } from "node:crypto";
import type { Comparable, Query } from "../ports/store.ts";
import { type FieldTable, type Holds, parseFilter } from "./filter.ts";
import { badQuery } from "./problem.ts";

export const pageLimits = {
  usual: 50,
  most: 1_000,
  /** In binary form. JSON may take six times as much, and an answer has to stay below what a message may have. */
  bytes: 640 * 1024,
} as const;

/** What the requests of all lists have in common. */
export interface ListRequest {
  readonly pageSize: number;
  readonly pageToken: string;
  readonly filter: string;
  readonly orderBy: string;
}

export interface ListRules<Field extends string> {
  readonly fields: FieldTable<Field>;
  /** The order when none is asked for. */
  readonly usualOrder: string;
  /** Makes every order definite: it is added as the last. */
  readonly unique: Field;
}

/** Reads a request for a page. One row more than asked for is fetched, to see whether there is another page. */
export function parseList<Field extends string>(
  tenantId: string,
  request: ListRequest,
  rules: ListRules<Field>,
): Query<Field> {
  const asked = request.orderBy.trim() || rules.usualOrder;
  const orderBy = parseOrder(asked, rules);
  const size = Math.min(request.pageSize || pageLimits.usual, pageLimits.most);
  return {
    tenantId,
    where: parseFilter(request.filter, rules.fields),
    orderBy,
    after: readToken(request, rules, asked, orderBy),
    limit: size + 1,
  };
}

function parseOrder<Field extends string>(
  text: string,
  { fields, unique }: ListRules<Field>,
): Query<Field>["orderBy"] {
  const order = text.split(",").map((part) => {
    const [name = "", direction = "asc", ...rest] = part.trim().split(/\s+/);
    const spec = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isOrdered = spec !== undefined && spec.holds !== "members" && spec.holds !== "entries";
    if (!isOrdered || rest.length > 0 || !["asc", "desc"].includes(direction))
      throw badQuery(
        "order_by",
        `"${part.trim()}" is no field with asc or desc; there are: ${Object.keys(fields).join(", ")}`,
      );
    return { field: spec.field, descending: direction === "desc" };
  });
  const seen = new Set(order.map(({ field }) => field));
  if (seen.size < order.length) throw badQuery("order_by", "names a field twice");
  // No two rows share it, so what would follow it orders nothing.
  const end = order.findIndex(({ field }) => field === unique);
  if (end >= 0) return order.slice(0, end + 1);
  return [...order, { field: unique, descending: order.at(-1)?.descending ?? false }];
}

/** How rows become a page. */
export interface PageRows<Row, Field> {
  readField(row: Row, field: Field): Comparable;
  /** What the row takes in the answer. */
  bytesOf(row: Row): number;
}

/** The rows of the page, and the token of the next one. Large rows make a page end sooner, but never before the first. */
export function cutPage<Field extends string, Row extends { readonly [Name in Field]?: unknown }>(
  rows: readonly Row[],
  query: Query<Field>,
  request: ListRequest,
  rules: ListRules<Field>,
  { readField, bytesOf }: PageRows<Row, Field>,
): { readonly rows: readonly Row[]; readonly nextPageToken: string } {
  const page = rows.slice(0, fitting(rows, query.limit - 1, bytesOf));
  const last = page.at(-1);
  if (rows.length === page.length || !last) return { rows: page, nextPageToken: "" };
  const values = query.orderBy.map(({ field }) => writeValue(readField(last, field)));
  const token = [stamp(request, rules, request.orderBy.trim() || rules.usualOrder), ...values];
  return { rows: page, nextPageToken: Buffer.from(JSON.stringify(token)).toString("base64url") };
}

/** How many of the first rows are a page. */
function fitting<Row>(rows: readonly Row[], most: number, bytesOf: (row: Row) => number): number {
  let bytes = 0;
  for (let count = 0; count < Math.min(rows.length, most); count++) {
    bytes += bytesOf(rows[count] as Row);
    if (bytes > pageLimits.bytes) return Math.max(1, count);
  }
  return most;
}

/** Binds a token to the list it came from. */
function stamp({ filter }: ListRequest, { fields }: ListRules<string>, order: string): string {
  const list = Object.keys(fields).join(" ");
  return hash("sha256", `${list}\n${filter}\n${order}`, "base64url").slice(0, 16);
}

function readToken<Field extends string>(
  request: ListRequest,
  rules: ListRules<Field>,
  order: string,
  orderBy: Query<Field>["orderBy"],
): readonly Comparable[] | undefined {
  if (request.pageToken === "") return undefined;
  const wrong = badQuery("page_token", "is not one of this list; begin again without it");
  try {
    const [of, ...values] = JSON.parse(
      Buffer.from(request.pageToken, "base64url").toString("utf8"),
    ) as unknown[];
    if (of !== stamp(request, rules, order) || values.length !== orderBy.length) throw wrong;
    const read = values.map(readStored);
    const kinds = new Map(Object.values(rules.fields).map(({ field, holds }) => [field, kindOf(holds)]));
    for (const [place, { field }] of orderBy.entries()) {
      const kind = kinds.get(field) ?? "string";
      const found = typeof read[place] === "bigint" ? "number" : typeof read[place];
      if (found !== kind) throw wrong;
    }
    return read;
  } catch {
    throw wrong;
  }
}

function kindOf(holds: Holds): "string" | "number" | "boolean" {
  if (holds === "boolean") return "boolean";
  return holds === "number" || holds === "time" ? "number" : "string";
}

/** JSON has no whole numbers beyond 2^53. */
function writeValue(value: Comparable): string | number | boolean | { n: string } {
  return typeof value === "bigint" ? { n: String(value) } : value;
}

function readStored(value: unknown): Comparable {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return BigInt((value as { n: string }).n);
}
