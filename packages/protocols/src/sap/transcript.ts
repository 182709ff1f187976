/** The transcript of a Task: what was submitted and every Result, with the entries of the audit record that hold them. */
import { z } from "zod";
import { ResultSchema } from "./result.ts";
import { TimestampSchema, UuidSchema } from "./scalars.ts";
import { sapVersion, TaskSchema } from "./task.ts";

const Sha256Schema = z.string().regex(/^sha256:[0-9a-f]{64}$/);

export const TranscriptSchema = z
  .looseObject({
    protocolVersion: z.literal(sapVersion),
    taskId: UuidSchema,
    correlationId: UuidSchema,
    pipelineId: z.string().min(1),
    /** As it was submitted, unknown fields included, with its digest over RFC 8785 JSON. */
    task: TaskSchema,
    taskDigest: Sha256Schema,
    /** In order: one for each change of the status, the last one with the outcome. */
    results: z.array(ResultSchema),
    /** Entries of the audit record about this task; their hashes form a chain with all others of the tenant. */
    record: z.array(
      z.looseObject({
        sequence: z.int().min(1),
        eventType: z.string().min(1),
        at: TimestampSchema,
        hash: Sha256Schema,
      }),
    ),
  })
  .meta({
    id: "Transcript",
    description: "A Task and its Results, with their entries in the audit record (SAP V2 §10, §11).",
  });
export type Transcript = z.infer<typeof TranscriptSchema>;
