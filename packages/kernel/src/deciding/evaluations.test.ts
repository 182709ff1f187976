import { PipelineSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { compareVersions, evaluatedRun, failedChecksLabel, versionsOf } from "./evaluations.ts";

function runOf(version: string, caseId: string, verdict: string, failed = "", cost = 1_000, unknown = false) {
  const labels = {
    evaluation: "case",
    "evaluation-name": "letters",
    "evaluation-version": version,
    "evaluation-case": caseId,
    ...(verdict && { "evaluation-verdict": verdict }),
    ...(failed && { "evaluation-failed": failed }),
  };
  const run = evaluatedRun(
    create(PipelineSchema, {
      pipelineId: `p-${version}-${caseId}`,
      labels: Object.entries(labels).map(([name, value]) => ({ name, value })),
      createdAt: timestampFromMs(version === "first" ? 1_000 : 2_000),
      summary: {
        usage: { inputTokens: 90n, outputTokens: 10n, costMicroUsd: BigInt(cost), costUnknown: unknown },
        timing: { duration: durationFromMs(400) },
      },
    }),
  );
  if (!run) throw new Error("no run of an evaluation");
  return run;
}

const runs = [
  runOf("second", "ada", "passed"),
  runOf("second", "grace", "failed", "polite, short", 3_000, true),
  runOf("second", "grace", ""),
  runOf("first", "ada", "failed", "polite"),
  runOf("first", "ada", "failed", "polite"),
];

describe("versions of an evaluation", () => {
  it("[SAC-12] stand side by side with pass rate, cost, tokens, time and failed checks", () => {
    const { versions, cases } = compareVersions(runs, ["first", "second"]);
    expect(versions.map(({ version, totals: { runs: _, ...totals } }) => ({ version, ...totals }))).toEqual([
      {
        ...{ version: "first", passed: 0, failed: 2, open: 0, passRate: 0, failedChecks: [["polite", 2]] },
        ...{ costMicroUsd: 2_000, costUnknown: false, tokens: 200, meanMs: 400 },
      },
      {
        ...{ version: "second", passed: 1, failed: 1, open: 1, passRate: 0.5 },
        failedChecks: [
          ["polite", 1],
          ["short", 1],
        ],
        ...{ costMicroUsd: 5_000, costUnknown: true, tokens: 300, meanMs: 400 },
      },
    ]);
    expect(cases.map(({ caseId, versions: of }) => [caseId, ...of.map(({ passRate }) => passRate)])).toEqual([
      ["ada", 0, 1],
      ["grace", undefined, 0],
    ]);
    expect(versionsOf(runs)).toEqual(["second", "first"]);
  });

  it("[SAC-12] have only runs of cases", () => {
    expect(evaluatedRun(create(PipelineSchema, { labels: [{ name: "evaluation", value: "grading" }] }))).toBe(
      undefined,
    );
    expect(evaluatedRun(create(PipelineSchema))).toBe(undefined);
  });

  it("[SAC-12] keep as many failed checks as a label holds", () => {
    expect(failedChecksLabel(["polite", "short"])).toBe("polite, short");
    const ids = Array.from({ length: 20 }, (_, at) => `check-number-${at}`);
    const label = failedChecksLabel(ids);
    expect(label.length).toBeLessThanOrEqual(128);
    expect(label).toMatch(/^check-number-0, .*, \+\d+$/);
    expect(failedChecksLabel(["x".repeat(63), "y".repeat(63), "z"])).toBe(`${"x".repeat(63)}, +2`);
  });
});
