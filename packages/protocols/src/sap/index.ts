/** Governed tasks as SAP V2 defines them: objects as Zod schemas with types, and their reading. */
export {
  type Ack,
  AckSchema,
  type Nack,
  NackSchema,
  type SapViolation,
  ViolationSchema,
} from "./acknowledgement.ts";
export { type CacheRecord, CacheRecordSchema } from "./cache-record.ts";
export { httpStatusOf, type SapErrorCode, sapErrorCodes } from "./error-model.ts";
export { sapLimits } from "./limits.ts";
export { sapOpenApi } from "./open-api.ts";
export { readTask, readTaskText, type TaskReading } from "./read-task.ts";
export {
  type Alignment,
  AlignmentSchema,
  type ConstitutionalEvidence,
  ConstitutionalEvidenceSchema,
  type Result,
  ResultSchema,
  type ResultStatus,
  ResultStatusSchema,
  type SapError,
  SapErrorSchema,
} from "./result.ts";
export { hasOutcome, type OpenQuestion, type RunDetail, resultFromPipeline } from "./result-from-pipeline.ts";
export { formatTimestamp, inprocName, TimestampSchema, UuidSchema } from "./scalars.ts";
export { sapSchemas } from "./schemas.ts";
export { type ConstitutionalContext, sapVersion, type Task, TaskSchema } from "./task.ts";
export { isNack, type NumberedResult, type TaskEndpoint } from "./task-endpoint.ts";
export { taskFromContract } from "./task-from-contract.ts";
export { keyOfTask, taskToContract } from "./task-to-contract.ts";
export { type Transcript, TranscriptSchema } from "./transcript.ts";
export { violationsOf } from "./violations.ts";
