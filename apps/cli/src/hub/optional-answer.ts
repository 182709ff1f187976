import { Code, ConnectError } from "@connectrpc/connect";

/** The key may not read it, or the hub is older. */
const missingCodes: ReadonlySet<Code> = new Set([Code.NotFound, Code.PermissionDenied, Code.Unimplemented]);

export async function optionalAnswer<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof ConnectError && missingCodes.has(error.code)) return undefined;
    throw error;
  });
}
