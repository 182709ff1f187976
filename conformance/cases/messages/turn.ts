/** TurnEnvelope: one turn of an agent. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { missing } from "../missing.ts";
import { epoch, finishedAt } from "../parts.ts";
import { absent, patch } from "../patch.ts";

export const minimalTurn: JsonObject = {
  agentId: "AGENT_ROLE_DEVELOPER",
  role: "AGENT_ROLE_DEVELOPER",
  content: {},
  metadata: {
    version: "1.0",
    taskId: "T-1042",
    timestamp: finishedAt,
    estimatedComplexity: "COMPLEXITY_LOW",
  },
};

const fullTurn = patch(minimalTurn, {
  turn_index: 3,
  role: "AGENT_ROLE_REVIEWER",
  content: {
    thought: "The counter must be atomic",
    action: "Edit src/login-limit.ts",
    observation: "12 tests pass",
  },
  "metadata.confidence": 0.75,
  pack_id: "senior-ts-dev",
});

export const turnCases: readonly Case[] = [
  valid("turn-envelope-minimal", "TurnEnvelope", "The smallest turn that the rules accept.", minimalTurn),
  valid("turn-envelope-full", "TurnEnvelope", "A turn in which every field is set.", fullTurn),
  ...["RESEARCHER", "ARCHITECT", "DEVELOPER", "REVIEWER"].map((role) =>
    valid(
      `turn-envelope-agent-${role.toLowerCase()}`,
      "TurnEnvelope",
      `A turn of the ${role.toLowerCase()}.`,
      patch(minimalTurn, { agent_id: `AGENT_ROLE_${role}` }),
    ),
  ),
  ...["LOW", "MEDIUM", "HIGH"].map((complexity) =>
    valid(
      `turn-envelope-complexity-${complexity.toLowerCase()}`,
      "TurnEnvelope",
      `Complexity ${complexity} by its name.`,
      patch(minimalTurn, { "metadata.estimated_complexity": `COMPLEXITY_${complexity}` }),
    ),
  ),
  valid(
    "turn-envelope-certain",
    "TurnEnvelope",
    "A confidence of exactly one, at an instant that is there with nothing in it.",
    patch(minimalTurn, { "metadata.confidence": 1, "metadata.timestamp": epoch }),
  ),
  ...breaks("TurnEnvelope", minimalTurn, [
    ["turn_index", -1, "int32.gte", "A turn before the first."],
    ["agent_id", "AGENT_ROLE_UNSPECIFIED", "enum.not_in", "A turn of nobody."],
    ["agent_id", 5, "enum.defined_only", "A turn of a role that nobody knows."],
    ["role", "AGENT_ROLE_UNSPECIFIED", "enum.not_in", "A turn in no role."],
    ["role", 5, "enum.defined_only", "A turn in a role that nobody knows."],
    ["content", absent, "required", "A turn that says nothing, not even that it says nothing."],
    ["metadata", absent, "required", "A turn without metadata."],
    ["metadata.version", "", "string.min_len", "A turn that does not say how it was written."],
    ["metadata.task_id", "", "string.min_len", "A turn of no task."],
    ["metadata.timestamp", absent, "required", "A turn at no time."],
    ["metadata.confidence", -0.01, "double.gte_lte", "Less than no confidence.", { suffix: "below" }],
    ["metadata.confidence", 1.01, "double.gte_lte", "More than full confidence.", { suffix: "above" }],
    ["metadata.confidence", "NaN", "double.gte_lte", "A confidence that is not a number.", { suffix: "nan" }],
    [
      "metadata.confidence",
      "Infinity",
      "double.gte_lte",
      "A confidence beyond all bounds.",
      { suffix: "infinite" },
    ],
    ["metadata.estimated_complexity", absent, "enum.not_in", "A complexity that is not stated."],
    ["metadata.estimated_complexity", 4, "enum.defined_only", "A complexity that nobody knows."],
  ]),
  ...hollow("TurnEnvelope", minimalTurn, [["metadata", missing.turnMetadata]]),
];
