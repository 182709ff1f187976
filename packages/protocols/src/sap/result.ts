/** The Result of SAP with its evidence (U §4.2). Unknown fields are kept. */
import { z } from "zod";
import { sapErrorCodes } from "./error-model.ts";
import { NameSchema, TimestampSchema, UuidSchema } from "./scalars.ts";
import { PressureSchema, sapVersion } from "./task.ts";

export const CacheEvidenceSchema = z.looseObject({
  hit: z.boolean(),
  cacheKey: z.string().optional(),
  ageSec: z.int().min(0).optional(),
});

export const AlignmentSchema = z.enum(["VALID", "NON_CONSTITUTIONAL", "ESCALATE"]);
export type Alignment = z.infer<typeof AlignmentSchema>;

export const ConstitutionalEvidenceSchema = z
  .looseObject({
    alignment: AlignmentSchema,
    pressureReadings: PressureSchema.optional(),
    policyChecks: z
      .array(z.looseObject({ principle: z.string(), status: z.string(), notes: z.string() }).partial())
      .optional(),
    violations: z
      .array(z.looseObject({ principle: z.string(), severity: z.string(), evidence: z.string() }).partial())
      .optional(),
    citations: z.array(z.string()).optional(),
    cache: CacheEvidenceSchema.optional(),
  })
  .meta({ id: "ConstitutionalEvidence", description: "The proof of alignment (SAP V2 §4.2)." });
export type ConstitutionalEvidence = z.infer<typeof ConstitutionalEvidenceSchema>;

export const ResultStatusSchema = z.enum([
  ...(["QUEUED", "RUNNING", "SUCCEEDED", "FAILED"] as const),
  ...(["CANCELLED", "ESCALATED", "PARTIAL"] as const),
]);
export type ResultStatus = z.infer<typeof ResultStatusSchema>;

export const SapErrorSchema = z
  .looseObject({
    code: z.enum(sapErrorCodes),
    message: z.string().min(1),
    details: z.looseObject({}).optional(),
  })
  .meta({ id: "Error", description: "Why a task was refused or failed (SAP V2 §8)." });
export type SapError = z.infer<typeof SapErrorSchema>;

export const ArtifactSchema = z.looseObject({
  uri: z.string().min(1),
  kind: z.string().optional(),
  digest: z.string().optional(),
});

/** A FAILED Result has a message, an ESCALATED one has next actions (U §8); so has a PARTIAL one (U §5). */
export const ResultSchema = z
  .looseObject({
    protocolVersion: z.literal(sapVersion),
    taskId: UuidSchema,
    correlationId: UuidSchema,
    reportedAt: TimestampSchema,
    producer: z.looseObject({ agentId: NameSchema, agentKind: z.enum(["agent", "system"]) }),
    status: ResultStatusSchema,
    output: z.unknown().optional(),
    artifacts: z.array(ArtifactSchema).optional(),
    metrics: z.looseObject({}).optional(),
    constitutionalEvidence: ConstitutionalEvidenceSchema,
    error: SapErrorSchema.optional(),
    nextActions: z.array(z.looseObject({})).optional(),
    meta: z.looseObject({}).optional(),
  })
  .superRefine(({ status, error, nextActions }, context) => {
    if (status === "FAILED" && error === undefined)
      context.addIssue(missing("error", "is missing: a FAILED Result has an error with a message"));
    if ((status === "ESCALATED" || status === "PARTIAL") && !nextActions?.length)
      context.addIssue(missing("nextActions", `is missing: ${status} has next actions`));
  })
  .meta({ id: "Result", description: "The outcome of a Task, or its progress (SAP V2 §4.2)." });
export type Result = z.infer<typeof ResultSchema>;

function missing(name: string, message: string) {
  return { code: "custom" as const, path: [name], message, params: { rule: "required" } };
}
