import type { Environment, Ref } from "@baton/contract";
import type { RefreshOutcome, Verification } from "../kernel.ts";
import type { Sim } from "../sim.ts";

/** The truth, independent of what agents claim. */
export interface GroundTruth {
  /** Dispatches whose work fails its tests. */
  readonly failing: Set<string>;
}

/** The outcome of the contract's commands. */
export function runCommands(
  dispatchId: string,
  environment: Environment | undefined,
  { failing }: GroundTruth,
): Verification {
  const passed = !failing.has(dispatchId);
  const exitCode = passed ? 0 : 1;
  const output = passed ? "ok" : "1 failed";
  return {
    commands: [
      ...(environment?.testCommand ? [{ check: "tests", passed, exitCode, output } as const] : []),
      ...(environment?.lintCommand
        ? [{ check: "lint", passed: true, exitCode: 0, output: "ok" } as const]
        : []),
    ],
    changes: undefined,
  };
}

/** The outcome of reading references again. */
export function readRefs(refs: readonly Ref[], { faults, clock }: Sim): readonly RefreshOutcome[] {
  return refs.map(() =>
    faults.strikes("unreadable reference")
      ? { ok: false, reason: "cannot be read" }
      : { ok: true, digest: `sha256:${"a".repeat(64)}`, versionOrSha: "abc", fetchedAtMs: clock.nowMs },
  );
}
