/** The fields of queries and their types. The last field of an order has to be unique. */
import type {
  AuditField,
  Comparable,
  EscalationField,
  PipelineField,
  SpendGroup,
  SpendRow,
} from "../ports/store.ts";

export type FieldKind = "text" | "integer" | "boolean";

export interface Fields<Field extends string> {
  readonly kinds: Readonly<Record<Field, FieldKind>>;
  readonly unique: readonly Field[];
}

export const pipelineFields: Fields<PipelineField> = {
  kinds: {
    pipelineId: "text",
    status: "text",
    ended: "boolean",
    templateId: "text",
    pipelineName: "text",
    taskId: "text",
    riskTier: "text",
    labels: "text",
    agents: "text",
    createdAtMs: "integer",
    updatedAtMs: "integer",
    waitsForPerson: "boolean",
  },
  unique: ["pipelineId"],
};

export const escalationFields: Fields<EscalationField> = {
  kinds: {
    escalationId: "text",
    pipelineId: "text",
    stageId: "text",
    kind: "text",
    riskTier: "text",
    raisedAtMs: "integer",
    resolved: "boolean",
  },
  unique: ["escalationId"],
};

export const auditFields: Fields<AuditField> = {
  kinds: {
    sequence: "integer",
    auditId: "text",
    pipelineId: "text",
    eventType: "text",
    atMs: "integer",
  },
  unique: ["sequence", "auditId"],
};

/** Integers have 64 bits. */
export function isOfKind(kind: FieldKind, value: Comparable): boolean {
  if (kind === "integer") {
    return typeof value === "bigint" ? BigInt.asIntN(64, value) === value : Number.isFinite(value);
  }
  return typeof value === (kind === "text" ? "string" : "boolean");
}

/** The fields of spending that a group keeps apart, and their columns. */
export const spendColumns = {
  day: [["day", "day"]],
  model: [
    ["provider", "provider"],
    ["model", "model"],
  ],
  pack: [["packId", "pack_id"]],
  template: [["templateId", "template_id"]],
} as const satisfies Record<SpendGroup, readonly (readonly [keyof SpendRow, string])[]>;
