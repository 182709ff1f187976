/** A record of the cache (U §6). */
import { z } from "zod";
import { AlignmentSchema } from "./result.ts";
import { TimestampSchema } from "./scalars.ts";

export const CacheRecordSchema = z
  .looseObject({
    cacheKey: z.string().min(1),
    storedAt: TimestampSchema,
    ageSec: z.int().min(0),
    producer: z.string().min(1),
    alignment: AlignmentSchema,
    output: z.unknown(),
    citations: z.array(z.string()),
    fingerprint: z.string().min(1),
  })
  .meta({ id: "CacheRecord", description: "A vetted outcome that later tasks may reuse (SAP V2 §6)." });
export type CacheRecord = z.infer<typeof CacheRecordSchema>;
