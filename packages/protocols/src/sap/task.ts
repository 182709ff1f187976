/** The Task of SAP (U §4.1). Unknown fields are kept. */
import { z } from "zod";
import { sapLimits } from "./limits.ts";
import {
  DigestSchema,
  EndpointSchema,
  LocatorSchema,
  NameSchema,
  SentenceSchema,
  TimestampSchema,
  UuidSchema,
} from "./scalars.ts";

export const sapVersion = "2.0";

export const IssuerSchema = z.looseObject({
  agentId: NameSchema,
  agentKind: z.enum(["user", "system", "agent"]),
  name: NameSchema.optional(),
});

export const PrioritySchema = z.enum(["low", "normal", "high", "urgent"]);

export const TargetSchema = z.looseObject({
  agentId: NameSchema.optional(),
  capability: NameSchema,
  routingHints: z.looseObject({}).optional(),
});

export const CachePolicySchema = z.looseObject({
  mode: z.enum(["prefer", "only", "bypass"]).optional(),
  maxAgeSec: z.int().min(0).max(sapLimits.ageSeconds).optional(),
  mustAlign: z.boolean().optional(),
});

export const PressureSchema = z
  .record(NameSchema, z.number().min(0).max(100))
  .refine((pressure) => Object.keys(pressure).length <= sapLimits.principles, {
    error: `has more than ${sapLimits.principles} entries`,
    params: { rule: "count" },
  })
  .meta({ maxProperties: sapLimits.principles });

export const ConstitutionalContextSchema = z.looseObject({
  pressureLevel: z.enum(["instant", "consulted", "deliberated"]),
  principles: z.array(NameSchema).max(sapLimits.principles).optional(),
  pressure: PressureSchema.optional(),
  objectives: z.array(SentenceSchema).max(sapLimits.objectives).optional(),
  constraints: z.array(SentenceSchema).max(sapLimits.constraints).optional(),
  riskTolerance: z.enum(["low", "medium", "high"]).optional(),
  territory: NameSchema.optional(),
  references: z.array(LocatorSchema).max(sapLimits.references).optional(),
  cachePolicy: CachePolicySchema.optional(),
});
export type ConstitutionalContext = z.infer<typeof ConstitutionalContextSchema>;

export const OutputContractSchema = z.looseObject({
  schema: z.looseObject({}).optional(),
  format: z.enum(["json", "markdown", "text"]).optional(),
});

export const TelemetrySchema = z.looseObject({
  priority: PrioritySchema.optional(),
  deadline: TimestampSchema.optional(),
  budget: z
    .looseObject({
      tokens: z.int().min(0).max(sapLimits.tokens).optional(),
      seconds: z.int().min(1).max(sapLimits.seconds).optional(),
    })
    .optional(),
  trace: z.boolean().optional(),
});

export const ReplyToSchema = z.looseObject({
  endpoint: EndpointSchema,
  expectAck: z.boolean().optional(),
});

export const AttachmentSchema = z.looseObject({
  uri: LocatorSchema,
  kind: NameSchema.optional(),
  digest: DigestSchema.optional(),
});

export const TaskSchema = z
  .looseObject({
    protocolVersion: z.literal(sapVersion),
    taskId: UuidSchema,
    parentTaskId: UuidSchema.nullable().optional(),
    correlationId: UuidSchema,
    issuedAt: TimestampSchema,
    issuer: IssuerSchema,
    target: TargetSchema,
    constitutionalContext: ConstitutionalContextSchema,
    payload: z.looseObject({}),
    outputContract: OutputContractSchema.optional(),
    telemetry: TelemetrySchema.optional(),
    replyTo: ReplyToSchema.optional(),
    attachments: z.array(AttachmentSchema).max(sapLimits.attachments).optional(),
    tags: z.array(NameSchema).max(sapLimits.tags).optional(),
    meta: z.looseObject({}).optional(),
  })
  .meta({ id: "Task", description: "A unit of work issued to an agent or capability (SAP V2 §4.1)." });
export type Task = z.infer<typeof TaskSchema>;
