import { AttemptPart, type GetAttemptResponse } from "@baton/contract/messages";
import { inspection } from "./client.ts";

/** Reads an attempt. Parts that exceed the size of one answer are read one by one. */
export async function readAttempt(dispatchId: string, signal: AbortSignal): Promise<GetAttemptResponse> {
  const attempt = await inspection.getAttempt({ dispatchId }, { signal });
  if (attempt.leftOut.length === 0) return attempt;
  const read = await Promise.all(
    attempt.leftOut.map(({ part }) =>
      inspection.getAttempt({ dispatchId, part }, { signal }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        return undefined;
      }),
    ),
  );
  const isThere = (part: AttemptPart) => read.some((one) => one && hasPart(one, part));
  return {
    ...Object.assign({ ...attempt }, ...read.map((one) => one && partsOf(one))),
    leftOut: attempt.leftOut.filter(({ part }) => !isThere(part)),
  };
}

function partsOf({ envelope, result, gate, dispatch }: GetAttemptResponse): Partial<GetAttemptResponse> {
  return {
    ...(envelope && { envelope }),
    ...(result && { result }),
    ...(gate && { gate }),
    ...(dispatch && { dispatch }),
  };
}

function hasPart({ envelope, result, gate, dispatch }: GetAttemptResponse, part: AttemptPart): boolean {
  const byPart = {
    [AttemptPart.UNSPECIFIED]: undefined,
    [AttemptPart.ENVELOPE]: envelope,
    [AttemptPart.RESULT]: result,
    [AttemptPart.GATE]: gate,
    [AttemptPart.DISPATCH]: dispatch,
  };
  return byPart[part] !== undefined;
}
