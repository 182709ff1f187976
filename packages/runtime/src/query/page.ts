import { hash } from "node:crypto";
import type { Comparable, Query } from "../ports/store.ts";
import { badQuery, type FieldTable, type Holds, parseFilter } from "./filter.ts";

export const pageLimits = {
  default: 50,
  max: 1_000,
  /** In binary form. JSON may take six times as much, and the response must fit into a message. */
  bytes: 640 * 1024,
} as const;

/** Fields that all list requests share. */
export interface ListRequest {
  readonly pageSize: number;
  readonly pageToken: string;
  readonly filter: string;
  readonly orderBy: string;
}

export interface ListRules<Field extends string> {
  readonly fields: FieldTable<Field>;
  /** Order of requests without `order_by`. */
  readonly defaultOrder: string;
  /** Appended to every order, to make it total. */
  readonly unique: Field;
}

/** Parses a list request. The limit is one row more than the page, to detect a further page. */
export function parseList<Field extends string>(
  tenantId: string,
  request: ListRequest,
  rules: ListRules<Field>,
): Query<Field> {
  const order = request.orderBy.trim() || rules.defaultOrder;
  const orderBy = parseOrder(order, rules);
  const size = Math.min(request.pageSize || pageLimits.default, pageLimits.max);
  return {
    tenantId,
    where: parseFilter(request.filter, rules.fields),
    orderBy,
    after: readToken(request, rules, order, orderBy),
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
        `"${part.trim()}" is not a field with asc or desc; fields are: ${Object.keys(fields).join(", ")}`,
      );
    return { field: spec.field, descending: direction === "desc" };
  });
  const seen = new Set(order.map(({ field }) => field));
  if (seen.size < order.length) throw badQuery("order_by", "names a field twice");
  // The unique field ends the order.
  const end = order.findIndex(({ field }) => field === unique);
  if (end >= 0) return order.slice(0, end + 1);
  return [...order, { field: unique, descending: order.at(-1)?.descending ?? false }];
}

/** Accessors of rows. */
export interface PageRows<Row, Field> {
  readField(row: Row, field: Field): Comparable;
  /** Size of the row in the response. */
  bytesOf(row: Row): number;
}

/** The rows of the page and the token of the next one. Large rows shorten a page, which has at least one row. */
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
  const token = [stamp(request, rules, request.orderBy.trim() || rules.defaultOrder), ...values];
  return { rows: page, nextPageToken: Buffer.from(JSON.stringify(token)).toString("base64url") };
}

/** Number of rows that fit on the page. */
function fitting<Row>(rows: readonly Row[], max: number, bytesOf: (row: Row) => number): number {
  let bytes = 0;
  for (let count = 0; count < Math.min(rows.length, max); count++) {
    bytes += bytesOf(rows[count] as Row);
    if (bytes > pageLimits.bytes) return Math.max(1, count);
  }
  return max;
}

/** Binds a token to its list, filter and order. */
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
  const mismatch = badQuery("page_token", "is not of this list; start again without it");
  try {
    const [of, ...values] = JSON.parse(
      Buffer.from(request.pageToken, "base64url").toString("utf8"),
    ) as unknown[];
    if (of !== stamp(request, rules, order) || values.length !== orderBy.length) throw mismatch;
    const read = values.map(readStored);
    const kinds = new Map(Object.values(rules.fields).map(({ field, holds }) => [field, kindOf(holds)]));
    for (const [index, { field }] of orderBy.entries()) {
      const kind = kinds.get(field) ?? "string";
      const found = typeof read[index] === "bigint" ? "number" : typeof read[index];
      if (found !== kind) throw mismatch;
    }
    return read;
  } catch {
    throw mismatch;
  }
}

function kindOf(holds: Holds): "string" | "number" | "boolean" {
  if (holds === "boolean") return "boolean";
  return holds === "number" || holds === "time" ? "number" : "string";
}

/** JSON numbers are exact only up to 2^53. */
function writeValue(value: Comparable): string | number | boolean | { n: string } {
  return typeof value === "bigint" ? { n: String(value) } : value;
}

function readStored(value: unknown): Comparable {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return BigInt((value as { n: string }).n);
}
