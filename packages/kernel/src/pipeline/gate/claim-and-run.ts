import { type CheckClaim, CheckClaimSchema, type CheckRun, CheckRunSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { GateCheckFinding } from "./gate.ts";

/** Converts the claim and the hub's own run of a check to the contract's types. */
export function claimAndRun({ claim, run }: Partial<Pick<GateCheckFinding, "claim" | "run">>): {
  readonly claim?: CheckClaim;
  readonly run?: CheckRun;
} {
  return {
    ...(claim && { claim: create(CheckClaimSchema, claim) }),
    ...(run && { run: runOf(run) }),
  };
}

function runOf(run: RunSeen): CheckRun {
  const { command, passed, exitCode, output, durationMs, sandbox, warning, baseTests } = run;
  return create(CheckRunSchema, {
    command,
    passed,
    exitCode,
    output,
    ...(durationMs !== undefined && { duration: durationFromMs(durationMs) }),
    sandbox: sandbox ?? "",
    sandboxWarning: warning ?? "",
    ...(baseTests && { baseTests: { ...baseTests, changedTests: [...baseTests.changedTests] } }),
  });
}

type RunSeen = Exclude<GateCheckFinding["run"], undefined>;
