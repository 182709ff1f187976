import { CacheMode, type SubmitTaskRequest } from "@baton/contract";
import type { Problem } from "../../problem.ts";

/** Refuses a cache policy that the task could not follow: only the output of a single stage without files is reused. */
export function checkCachePolicy(
  { governance, workspace }: SubmitTaskRequest,
  stages: number,
): readonly Problem[] {
  const mode = governance?.cachePolicy?.mode;
  if (mode === undefined || mode === CacheMode.BYPASS) return [];
  const refuse = (message: string): readonly Problem[] => [
    {
      code: "BATON-PIPELINE-001",
      at: "governance.cache_policy",
      message,
      fix: "use the cache mode bypass, or leave the policy out",
    },
  ];
  if (stages !== 1) return refuse(`outcomes of runs with one stage are reused, and this one has ${stages}`);
  if (workspace) return refuse("the task works in files, and only outputs are reused");
  return [];
}
