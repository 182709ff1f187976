import {
  AlignmentReportSchema,
  AlignmentVerdict,
  PolicyCheckStatus,
  PressureLevel,
} from "@baton/contract/messages";
import { create } from "@bufbuild/protobuf";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Alignment } from "./alignment.tsx";

it("[SAP-04] shows the verdict with its checks, violations, readings and who decided", () => {
  const report = create(AlignmentReportSchema, {
    verdict: AlignmentVerdict.VALID,
    effectiveLevel: PressureLevel.CONSULTED,
    levelReason: "the task declares it",
    readings: [{ principle: "pause", psi: 61 }],
    checks: [{ principle: "pause", check: "topic", status: PolicyCheckStatus.PASS }],
    violations: [
      {
        principle: "No PII",
        check: "email",
        severity: "high",
        evidence: "contains an address",
        path: "output.data",
      },
    ],
    consultations: [
      { pipelineId: "c", packId: "ethics", verdict: AlignmentVerdict.VALID, notes: "harmless" },
    ],
    citations: ["ubos://books"],
    decidedBy: "ada",
    decisionReason: "it is public",
  });
  const page = renderToStaticMarkup(<Alignment report={report} />);
  for (const text of [
    "Follows the constitution</strong>, decided by ada: ",
    "Consulted: the task declares it",
    "<strong>No PII</strong> violated (high): ",
    "(output.data)",
    "<strong>pause</strong> topic holds",
    "<strong>ethics</strong> agrees: ",
    "pause 61",
    "ubos://books",
  ])
    expect(page).toContain(text);
  expect(renderToStaticMarkup(<Alignment report={undefined} />)).toBe("");
});
