/** The calls of AgentService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { minimalEnvelope } from "../messages/envelope.ts";
import { minimalEvent } from "../messages/event.ts";
import { minimalResult } from "../messages/result.ts";
import { minimalStep } from "../messages/step.ts";
import { minimalTurn } from "../messages/turn.ts";
import { missing } from "../missing.ts";
import { deadline, deadlineMs, trace } from "../parts.ts";
import { absent, patch } from "../patch.ts";

const run: JsonObject = { envelope: minimalEnvelope };

export const minimalCancel: JsonObject = { dispatchId: "dispatch-1", attemptNumber: 1 };

export const agentServiceCases: readonly Case[] = [
  valid("run-agent-request", "RunAgentRequest", "A task to run.", run),
  valid("run-agent-response-turn", "RunAgentResponse", "A turn has ended.", { turn: minimalTurn }),
  valid("run-agent-response-event", "RunAgentResponse", "Something happened.", { event: minimalEvent }),
  valid("run-agent-response-step", "RunAgentResponse", "A step has begun.", { step: minimalStep }),
  valid("run-agent-response-result", "RunAgentResponse", "The task has ended.", { result: minimalResult }),
  valid(
    "cancel-agent-request-minimal",
    "CancelAgentRequest",
    "An attempt to stop, without a reason.",
    minimalCancel,
  ),
  ...["UNSPECIFIED", "TIMEOUT", "ABORTED", "REWOUND", "BUDGET", "SHUTDOWN"].map((reason) =>
    valid(
      `cancel-agent-request-${reason.toLowerCase()}`,
      "CancelAgentRequest",
      `An attempt to stop: ${reason}.`,
      {
        ...minimalCancel,
        reason: `CANCEL_REASON_${reason}`,
        explanation: "It took too long",
        trace,
      },
    ),
  ),
  ...["UNSPECIFIED", "STOPPED", "ALREADY_ENDED", "UNKNOWN"].map((outcome) =>
    valid(
      `cancel-agent-response-${outcome.toLowerCase().replaceAll("_", "-")}`,
      "CancelAgentResponse",
      `What became of the attempt: ${outcome}.`,
      { outcome: `CANCEL_OUTCOME_${outcome}` },
    ),
  ),
  ...breaks("RunAgentRequest", run, [
    ["envelope", absent, "required", "A call to run nothing."],
    [
      "envelope.execution.deadline",
      deadline,
      "deadline.after_now",
      "The deadline is this very moment: too late.",
      { nowMs: deadlineMs },
    ],
  ]),
  ...breaks("RunAgentResponse", {}, [
    ["result", absent, "required", "An agent that says nothing.", { at: "message" }],
  ]),
  ...breaks("CancelAgentRequest", minimalCancel, [
    ["dispatch_id", "", "string.min_len", "No attempt is named."],
    ["attempt_number", 0, "int32.gte", "Attempts are counted from one."],
    ["reason", 6, "enum.defined_only", "A reason that nobody knows."],
  ]),
  ...breaks("CancelAgentResponse", {}, [
    ["outcome", 4, "enum.defined_only", "An outcome that nobody knows."],
  ]),
  ...hollow("RunAgentRequest", run, [["envelope", missing.taskEnvelope]]),
  ...hollow("RunAgentResponse", {}, [
    ["turn", missing.turnEnvelope],
    ["event", missing.event],
    ["result", missing.agentResult],
    ["step", missing.step],
  ]),
  ...hollow("CancelAgentRequest", minimalCancel, [["trace", missing.traceContext]]),
  {
    name: "run-agent-request-deep-fault",
    type: "RunAgentRequest",
    shows: "The path of a violation leads from the message that was sent to the field at fault.",
    json: patch(run, { "envelope.contract.title": "" }),
    violations: [{ field: "envelope.contract.title", rule: "string.min_len" }],
  },
];
