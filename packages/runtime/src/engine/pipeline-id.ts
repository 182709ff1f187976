import { hash } from "node:crypto";

/**
 * Derives the id of a pipeline from its idempotency key. Submissions with the same key reach the same journal, also after a
 * restart, and the kernel decides whether they are the same task (DIS-15).
 */
export function pipelineIdFor(tenantId: string, idempotencyKey: string): string {
  const digest = hash("sha256", `${tenantId.length}:${tenantId}:${idempotencyKey}`, "buffer");
  let id = "p-";
  for (let index = 0; index < 20; index++) id += alphabet[(digest[index] ?? 0) & 31];
  return id;
}

/** Without most vowels, which would form words, and without letters that look like digits. */
const alphabet = "0123456789bcdfghjkmnpqrstvwxyzae";
