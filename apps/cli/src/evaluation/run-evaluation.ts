import type { CompiledCase } from "@baton/kernel/evaluation";
import { type CaseSetting, type JudgedRun, runCase } from "./run-case.ts";

/** Runs all cases, so many at once; reports each run when it is judged. The first error ends it, and aborts what still runs. */
export async function runEvaluation(
  cases: readonly CompiledCase[],
  setting: CaseSetting,
  onJudged: (judged: JudgedRun) => Promise<void>,
): Promise<readonly JudgedRun[]> {
  const { repeat, concurrency } = setting.evaluation;
  // Round by round, so that an interrupted evaluation has looked at every case.
  const queue = Array.from({ length: repeat }, () => cases).flat();
  const judged: JudgedRun[] = [];
  const failure = new AbortController();
  const signal = AbortSignal.any([setting.signal, failure.signal]);
  const work = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const result = await runCase(one, { ...setting, signal });
      judged.push(result);
      await onJudged(result);
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, queue.length) }, () =>
    work().catch((error: unknown) => {
      queue.length = 0;
      if (!signal.aborted) failure.abort(error);
    }),
  );
  await Promise.all(workers);
  signal.throwIfAborted();
  return judged;
}
