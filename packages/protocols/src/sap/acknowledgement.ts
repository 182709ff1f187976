/** Ack and Nack (U §4.3): a task was accepted for processing, or refused before it. */
import { z } from "zod";
import { ResultStatusSchema, SapErrorSchema } from "./result.ts";
import { TimestampSchema, UuidSchema } from "./scalars.ts";
import { sapVersion } from "./task.ts";

export const AckSchema = z
  .looseObject({
    protocolVersion: z.literal(sapVersion),
    kind: z.literal("ack"),
    messageId: UuidSchema,
    taskId: UuidSchema,
    parentTaskId: UuidSchema.optional(),
    correlationId: UuidSchema,
    acknowledgedAt: TimestampSchema,
    /** The status of the task: not QUEUED when it was submitted before. */
    status: ResultStatusSchema,
    /** Whether the same task was submitted before. */
    existing: z.boolean(),
    /** The run of the task in this hub. */
    pipelineId: z.string().min(1),
    /** False when `replyTo.expectAck` is: transports do not send it. */
    expected: z.boolean().optional(),
  })
  .meta({ id: "Ack", description: "The task is accepted (SAP V2 §4.3)." });
export type Ack = z.infer<typeof AckSchema>;

export const ViolationSchema = z
  .looseObject({
    path: z.string(),
    rule: z.string().min(1),
    message: z.string().min(1),
    fix: z.string().min(1),
  })
  .meta({ id: "Violation", description: "A rule that the task breaks." });
export type SapViolation = z.infer<typeof ViolationSchema>;

export const NackSchema = z
  .looseObject({
    protocolVersion: z.literal(sapVersion),
    kind: z.literal("nack"),
    messageId: UuidSchema,
    /** As far as the task could be read. */
    taskId: UuidSchema.optional(),
    correlationId: UuidSchema.optional(),
    rejectedAt: TimestampSchema,
    error: SapErrorSchema.safeExtend({
      details: z
        .looseObject({
          code: z.string().optional(),
          fix: z.string().optional(),
          violations: z.array(ViolationSchema).optional(),
        })
        .optional(),
    }),
  })
  .meta({ id: "Nack", description: "The task is refused, with the reason (SAP V2 §4.3, §8)." });
export type Nack = z.infer<typeof NackSchema>;
