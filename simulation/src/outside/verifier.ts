import type { Environment, Ref } from "@baton/contract";
import type { RefreshOutcome, Verification } from "../kernel.ts";
import type { Sim } from "../sim.ts";

/** What is really so, whatever anybody claims. */
export interface Truths {
  /** Dispatches whose work does not pass its tests. */
  readonly failing: Set<string>;
}

/** What the hub sees when it runs the contract's commands itself. */
export function runCommands(
  dispatchId: string,
  environment: Environment | undefined,
  { failing }: Truths,
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

/** What comes of reading references again. */
export function readRefs(refs: readonly Ref[], { faults, clock }: Sim): readonly RefreshOutcome[] {
  return refs.map(() =>
    faults.strikes("unreadable reference")
      ? { ok: false, reason: "cannot be read" }
      : { ok: true, digest: `sha256:${"a".repeat(64)}`, versionOrSha: "abc", fetchedAtMs: clock.nowMs },
  );
}
