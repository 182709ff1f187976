import type { AuditRow, EscalationRow, ListedPipelineRow } from "./store-rows.ts";

/** The rows of one tenant that match every comparison, ordered. The last field of the order is unique. */
/** Knowledge of a tenant and topic, the newest first. */
export interface KnowledgeQuery {
  readonly tenantId: string;
  readonly topic: string;
  /** Default: any. */
  readonly key?: string | undefined;
  /** Rows with a lower sequence. Default: all. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface Query<Field extends string> {
  readonly tenantId: string;
  readonly where: readonly Comparison<Field>[];
  readonly orderBy: readonly { readonly field: Field; readonly descending: boolean }[];
  /** The values of the order's fields in the last row of the previous page. */
  readonly after: readonly Comparable[] | undefined;
  readonly limit: number;
}

export interface Comparison<Field extends string> {
  readonly field: Field;
  /** `~` is for text fields: the field contains the value; letters from a to z match in either case. */
  readonly operator: "=" | "!=" | "<" | "<=" | ">" | ">=" | "~";
  readonly value: Comparable;
}

/** Texts compare by code point, as UTF-8 bytes do. */
export type Comparable = string | number | bigint | boolean;

export type PipelineField = Exclude<keyof ListedPipelineRow, "tenantId" | "view">;
/** `resolved` is whether the escalation has an answer. */
export type EscalationField =
  | Exclude<keyof EscalationRow, "tenantId" | "escalation" | "resolvedAtMs">
  | "resolved";
export type AuditField = Exclude<keyof AuditRow, "tenantId" | "hash" | "entry">;

/** The spending of a tenant between two days, both included, in one row for each combination of `groupBy`. */
export interface SpendQuery {
  readonly tenantId: string;
  readonly fromDay: number;
  readonly toDay: number;
  /** Fields of rows that are not named are zero and empty. */
  readonly groupBy: readonly SpendGroup[];
  readonly limit: number;
}

/** `model` is the model and its provider. */
export type SpendGroup = "day" | "model" | "pack" | "template";
