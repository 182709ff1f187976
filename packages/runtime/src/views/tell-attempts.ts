import { type PipelineRecord, wayTo } from "@baton/kernel";
import { type AttemptTold, Teller, type WaitTold } from "./attempts.ts";

export function tellAttempts(records: readonly PipelineRecord[]): {
  readonly attempts: readonly AttemptTold[];
  readonly waits: readonly WaitTold[];
} {
  const { attempts, waits } = tellAll(records);
  const isRewound = records.some(({ type }) => type === "restored");
  return { attempts: isRewound ? tellAlongWays(records, attempts) : attempts, waits };
}

function tellAll(records: readonly PipelineRecord[]): Teller {
  const teller = new Teller();
  for (const record of records) teller.hear(record);
  return teller;
}

/**
 * After a rewind a stage is about another attempt than the last that was sent, so each way that the pipeline went is told by
 * itself, up to the rewind that left it. What an attempt came to on the newest way that knows of it is what is told of it.
 */
function tellAlongWays(
  records: readonly PipelineRecord[],
  all: readonly AttemptTold[],
): readonly AttemptTold[] {
  const told = new Map<string, AttemptTold>();
  const left = records.flatMap(({ type }, place) =>
    type === "restored" ? [[...wayTo(records, place), place + 1]] : [],
  );
  for (const way of [...left, wayTo(records, records.length)]) {
    for (const before of told.values()) before.setAside = true;
    const { attempts } = tellAll(way.flatMap((version) => records[version - 1] ?? []));
    for (const attempt of attempts) {
      const { dispatchId } = attempt.dispatch;
      const before = told.get(dispatchId);
      // It was under way where the rewind went to: how it ended had been told before, and counts no more.
      if (!attempt.setAside || before === undefined) told.set(dispatchId, attempt);
    }
  }
  // What comes late comes on a way that the attempt is no part of.
  return all.map((attempt) => ({
    ...(told.get(attempt.dispatch.dispatchId) ?? attempt),
    disregarded: attempt.disregarded,
  }));
}
