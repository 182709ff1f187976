import { Code, ConnectError } from "@connectrpc/connect";

/** Whoever may not see it, or asks an older hub, goes on with what they have. */
const missing: ReadonlySet<Code> = new Set([Code.NotFound, Code.PermissionDenied, Code.Unimplemented]);

export async function ifThere<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof ConnectError && missing.has(error.code)) return undefined;
    throw error;
  });
}
