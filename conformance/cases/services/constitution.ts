/** The constitution: calls of InspectionService (SAP V2 §4). */
import { breaks, type Case, hollow, valid } from "../case.ts";
import { fullAlignment } from "../messages/governance.ts";
import { fullResult } from "../messages/result.ts";
import { missing } from "../missing.ts";
import { absent, patch } from "../patch.ts";

const compare = { file: { constitution: { version: "2" } }, decisions: 50 };

export const constitutionCases: readonly Case[] = [
  valid("get-withheld-answer-request", "GetWithheldAnswerRequest", "The answer that a question is about.", {
    escalationId: "p-1/e1",
  }),
  valid("get-withheld-answer-response", "GetWithheldAnswerResponse", "An answer, and what was checked.", {
    result: fullResult,
    alignment: fullAlignment,
  }),
  valid(
    "get-withheld-answer-response-unchecked",
    "GetWithheldAnswerResponse",
    "An answer without a report.",
    {
      result: fullResult,
    },
  ),
  valid("get-withheld-answer-response-hollow", "GetWithheldAnswerResponse", "A report without fields.", {
    alignment: {},
  }),
  valid("get-constitution-request", "GetConstitutionRequest", "The constitution in force.", {}),
  valid("get-constitution-response", "GetConstitutionResponse", "A check that fired twice.", {
    digest: "c".repeat(64),
    version: "2026-1",
    description: "What we stand for",
    rules: [
      {
        ...{ principle: "No PII", isConstraint: true, description: "No personal data", severity: "high" },
        ...{ check: "no-email", kind: "personal_data", on: "both" },
        ...{ checked: 10, fired: 2, escalated: 1, overruled: 1 },
      },
    ],
    decisions: 12,
  }),
  valid("compare-constitution-request", "CompareConstitutionRequest", "Another file.", compare),
  valid("compare-constitution-request-hollow", "CompareConstitutionRequest", "A file without content.", {
    file: {},
  }),
  valid("compare-constitution-response", "CompareConstitutionResponse", "One decision would be another.", {
    decisionsSeen: 40,
    differences: [
      {
        ...{ pipelineId: "p-1", stageId: "implement" },
        ...{ was: "ALIGNMENT_VERDICT_VALID", wouldBe: "ALIGNMENT_VERDICT_NON_CONSTITUTIONAL" },
        reason: "the rule is false",
      },
    ],
    notRun: ["own-program"],
  }),
  ...breaks("GetWithheldAnswerRequest", { escalationId: "p-1/e1" }, [
    ["escalation_id", "", "string.min_len", "The answer of no question."],
  ]),
  ...breaks("CompareConstitutionRequest", compare, [
    ["file", absent, "required", "Nothing to compare with."],
    ["decisions", -1, "int32.gte", "Fewer than no decisions."],
  ]),
  ...hollow("GetWithheldAnswerResponse", patch({}, {}), [["result", missing.agentResult]]),
];
