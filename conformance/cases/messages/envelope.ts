/** Envelopes that the cases of a task begin with. */
import type { JsonObject } from "@bufbuild/protobuf";
import {
  checkClaim,
  checkRun,
  contract,
  deadline,
  epoch,
  finishedAt,
  ofLength,
  schemaVersion,
  startedAt,
  trace,
} from "../parts.ts";
import { patch } from "../patch.ts";
import { minimalStep } from "./step.ts";

/** Nothing but what the rules demand. */
export const minimalEnvelope: JsonObject = {
  protocolVersion: schemaVersion,
  contract,
  trace,
  safety: {},
  refs: [{ uriOrLocator: "src/login.ts" }],
  execution: { idempotencyKey: "T-1042/implement", dispatchId: "dispatch-1", attemptNumber: 1 },
};

export const contextOut: JsonObject = {
  decisionsMade: [
    {
      decisionId: "D-2",
      description: "Count attempts per account, not per address",
      rationale: "Offices share one address",
      sourceTask: "T-1042",
      decidedAt: startedAt,
    },
  ],
  risksIdentified: ["A locked account is a way to annoy its owner"],
  assumptionsMade: ["Clocks of all servers agree to a second"],
  rollbackNotes: "Switch the flag login.limit off",
};

/** A second attempt, with every field of every message in it. */
export const fullEnvelope = patch(minimalEnvelope, {
  steps: { count: 1, steps: [minimalStep] },
  lessons: [
    { lessonId: "l-1", kind: "punch-card", version: 1, text: "Mind the clocks" },
    { text: ofLength(8_192) },
    {},
  ],
  protocol_version: {
    schemaVersion: "1.0.0",
    policyVersion: "policy-7",
    capabilitySchemaVersion: "1.0.0",
    packVersion: "2.3.1",
    minOrchestratorVersion: "0.1.0",
  },
  contract: {
    ...contract,
    ownerDomain: "accounts",
    nonGoals: ["Captchas"],
    expectedFiles: { create: ["src/login-limit.ts"], modify: ["src/login.ts"], delete: ["src/login-old.ts"] },
    tests: { testsToAdd: ["src/login-limit.test.ts"], testsToRun: ["src/login.test.ts"] },
    io: {
      dependencies: ["redis"],
      artifacts: ["src/login-limit.ts"],
      expectedInterfaces: ["LoginLimit.check(account): Verdict"],
      breakingChange: true,
    },
    environment: {
      lintCommand: "npm run lint",
      typecheckCommand: "npm run types",
      testCommand: "npm test",
      buildCommand: "npm run build",
      securityCommand: "npm audit",
    },
    definitionOfDone: ["The change is documented"],
    requiredTools: ["npm", "git"],
  },
  "trace.parent_span_id": "b7ad6b7169203331",
  "trace.agent_id": "senior-ts-dev-1",
  safety: {
    authScopes: ["repo:write"],
    prohibitedActions: ["Push to main"],
    toolAllowlist: ["npm", "git"],
    toolDenylist: ["curl"],
    maxAutonomousSteps: 40,
    securityFlags: { touchesAuth: true, touchesSchema: true, touchesBilling: true, touchesSecrets: true },
  },
  refs: [
    {
      uriOrLocator: "src/login.ts",
      versionOrSha: "9fceb02d0ae598e95dc970b74767f19372d61af8",
      digest: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      fetchedAt: startedAt,
      refType: "REF_TYPE_FILE",
      degraded: true,
      degradedReason: "The file server did not answer",
    },
  ],
  execution: {
    idempotencyKey: "T-1042/implement",
    dispatchId: "dispatch-2",
    attemptNumber: 2,
    deadline,
    timeout: "1800s",
    priority: "PRIORITY_HIGH",
    riskTier: "RISK_TIER_CRITICAL",
    patchSizeLimit: 400,
    budget: { maxTokens: "200000", maxCostMicroUsd: "1500000", maxSteps: 80 },
  },
  context_in: {
    sharedContext: "The login service is written in TypeScript.",
    taskDelta: "Only the password form is in scope.",
    decisionMemo: {
      decisions: [{ decisionId: "D-1", description: "Use Redis", rationale: "It is there already" }],
    },
    criticalSnippets: [
      {
        path: "src/login.ts",
        startLine: 10,
        endLine: 12,
        content: "export function login() {}",
        description: "The limit is checked here",
      },
    ],
    unresolvedAssumptions: ["Accounts are few enough to count one by one"],
  },
  routing: {
    selectedPackId: "senior-ts-dev",
    candidatePackIds: ["senior-ts-dev", "generalist"],
    routingPolicyVersion: "policy-7",
    taskType: "implement",
  },
  review_feedback: {
    rejectedAttempt: 1,
    rejectedByStage: "review",
    failedChecks: [
      {
        checkName: "tests",
        reason: "One test fails",
        evidence: "expected 429, got 200",
        claim: checkClaim,
        run: checkRun,
        disproved: true,
      },
    ],
    priorContext: contextOut,
    instructions: ["Count the attempt before the password is checked"],
  },
  workspace: {
    repository: "https://git.example/acme/login",
    baseCommit: "9fceb02d0ae598e95dc970b74767f19372d61af8",
    branch: "task/T-1042",
    path: "workspaces/T-1042",
  },
  inputs: { limit: 5 },
  clarifications: [
    { question: "Per minute or per hour?", answer: "Per minute", answeredBy: "ada", answeredAt: finishedAt },
  ],
  output_schema: { type: "object" },
});

/** Every sub-message that may be empty is there and empty. */
export const hollowEnvelope = patch(minimalEnvelope, {
  "contract.expected_files": {},
  "contract.tests": {},
  "contract.io": {},
  "contract.environment": {},
  "safety.security_flags": {},
  "refs[0].fetched_at": epoch,
  "execution.deadline": epoch,
  "execution.timeout": "0s",
  "execution.budget": {},
  context_in: { decisionMemo: {} },
  routing: {},
  review_feedback: {
    rejectedAttempt: 1,
    priorContext: {},
    failedChecks: [{ checkName: "tests", claim: {}, run: {} }],
  },
  inputs: {},
  clarifications: [{ question: "Why?", answeredAt: epoch }],
  output_schema: {},
});
