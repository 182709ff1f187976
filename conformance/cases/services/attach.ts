/** The stream that an agent opens: AttachAgent of RegistryService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { minimalEnvelope } from "../messages/envelope.ts";
import { fullError, minimalError } from "../messages/error.ts";
import { minimalEvent } from "../messages/event.ts";
import { minimalResult } from "../messages/result.ts";
import { minimalStep } from "../messages/step.ts";
import { minimalTurn } from "../messages/turn.ts";
import { missing } from "../missing.ts";
import { deadline, deadlineMs } from "../parts.ts";
import { absent, patch } from "../patch.ts";
import { minimalCancel } from "./agent-service.ts";
import { minimalHeartbeat, minimalManifest } from "./registry.ts";

export const minimalHello: JsonObject = { manifest: minimalManifest, heartbeat: minimalHeartbeat };

const hello: JsonObject = { sequence: "1", hello: minimalHello };
const welcome: JsonObject = { welcome: { sessionId: "session-1" } };

const fromAgent: Readonly<Record<string, readonly [shows: string, content: JsonObject]>> = {
  hello: [
    "Who I am, and what I still work on.",
    {
      ...minimalHello,
      resumeSessionId: "session-1",
      heldDispatches: [{ dispatchId: "dispatch-1", attemptNumber: 1 }],
    },
  ],
  heartbeat: ["How I am.", minimalHeartbeat],
  turn: ["A turn has ended.", minimalTurn],
  event: ["Something happened.", minimalEvent],
  result: ["A task has ended.", minimalResult],
  cancelled: ["An attempt was stopped.", { outcome: "CANCEL_OUTCOME_STOPPED" }],
  step: ["A step has begun.", minimalStep],
};

const toAgent: Readonly<Record<string, readonly [shows: string, content: JsonObject]>> = {
  welcome: [
    "You are in, with every field set.",
    {
      sessionId: "session-1",
      acknowledgedSequence: "7",
      leaseTtl: "30s",
      heartbeatInterval: "10s",
      orchestratorVersion: "0.1.0",
    },
  ],
  dispatch: ["Do this.", minimalEnvelope],
  cancel: ["Stop that.", minimalCancel],
  acknowledged: ["Your messages up to this one are stored.", { sequence: "7" }],
  refused: ["One of your messages was refused.", { sequence: "8", error: fullError }],
  drain: ["Finish what you have.", { reason: "The orchestrator is updated", grace: "60s" }],
};

export const attachCases: readonly Case[] = [
  ...Object.entries(fromAgent).map(([arm, [shows, content]], index) =>
    valid(`attach-agent-request-${arm}`, "AttachAgentRequest", shows, {
      sequence: `${index + 1}`,
      dispatchId: "dispatch-1",
      [arm]: content,
    }),
  ),
  valid(
    "attach-agent-request-cancelled-hollow",
    "AttachAgentRequest",
    "An arm is chosen although it is empty.",
    {
      sequence: "1",
      dispatchId: "dispatch-1",
      cancelled: {},
    },
  ),
  ...Object.entries(toAgent).map(([arm, [shows, content]]) =>
    valid(`attach-agent-response-${arm}`, "AttachAgentResponse", shows, { [arm]: content }),
  ),
  valid(
    "attach-agent-response-drain-hollow",
    "AttachAgentResponse",
    "An arm is chosen although it is empty.",
    {
      drain: {},
    },
  ),
  valid("attach-agent-response-drain-at-once", "AttachAgentResponse", "A grace of zero is a statement.", {
    drain: { grace: "0s" },
  }),
  valid(
    "attach-agent-response-welcome-minimal",
    "AttachAgentResponse",
    "A lease of unstated length: the rule on its length holds only when it is there.",
    welcome,
  ),
  ...breaks("AttachAgentRequest", hello, [
    ["sequence", "0", "int64.gte", "Messages are counted from one."],
    ["hello", absent, "required", "An agent that says nothing.", { at: "message" }],
    ["hello.manifest", absent, "required", "An agent that does not say who it is."],
    ["hello.heartbeat", absent, "required", "An agent that does not say how it is."],
    [
      "hello.held_dispatches",
      [{ attemptNumber: 1 }],
      "string.min_len",
      "An agent works on an attempt without an id.",
      { at: "hello.held_dispatches[0].dispatch_id" },
    ],
    [
      "hello.held_dispatches",
      [{ dispatchId: "dispatch-1" }],
      "int32.gte",
      "An agent works on an attempt without a number.",
      { at: "hello.held_dispatches[0].attempt_number" },
    ],
  ]),
  ...["turn", "event", "cancelled"].flatMap((arm) =>
    breaks(
      "AttachAgentRequest",
      { sequence: "1", dispatchId: "dispatch-1", [arm]: fromAgent[arm]?.[1] ?? {} },
      [
        [
          "dispatch_id",
          "",
          "attach_agent_request.names_its_dispatch",
          `A message of the kind ${arm} that belongs to no attempt.`,
          { at: "", suffix: arm },
        ],
      ],
    ),
  ),
  ...breaks("AttachAgentResponse", welcome, [
    ["welcome", absent, "required", "An orchestrator that says nothing.", { at: "message" }],
    ["welcome.session_id", "", "string.min_len", "A session that cannot be resumed."],
    ["welcome.acknowledged_sequence", "-1", "int64.gte", "Messages before the first are stored."],
    ["welcome.lease_ttl", "0s", "duration.gt", "A lease that has ended."],
    ["welcome.heartbeat_interval", "0s", "duration.gt", "Heartbeats without a pause."],
  ]),
  ...breaks("AttachAgentResponse", { acknowledged: { sequence: "1" } }, [
    ["acknowledged.sequence", "0", "int64.gte", "No message is acknowledged."],
  ]),
  ...breaks("AttachAgentResponse", { refused: { sequence: "1", error: minimalError } }, [
    ["refused.sequence", "0", "int64.gte", "No message is refused."],
    ["refused.error", absent, "required", "A refusal without a reason."],
  ]),
  ...breaks("AttachAgentResponse", { dispatch: minimalEnvelope }, [
    [
      "dispatch.execution.deadline",
      deadline,
      "deadline.after_now",
      "The deadline is this very moment: too late.",
      { nowMs: deadlineMs },
    ],
  ]),
  ...hollow("AttachAgentRequest", { sequence: "1", dispatchId: "dispatch-1" }, [
    ["hello", missing.attachHello],
    ["heartbeat", missing.agentHeartbeat],
    ["turn", missing.turnEnvelope],
    ["event", missing.event],
    ["result", missing.agentResult],
    ["step", missing.step],
  ]),
  ...hollow("AttachAgentRequest", hello, [
    ["hello.manifest", missing.agentManifest],
    ["hello.heartbeat", missing.agentHeartbeat],
  ]),
  ...hollow("AttachAgentResponse", {}, [
    ["welcome", missing.attachWelcome],
    ["dispatch", missing.taskEnvelope],
    ["cancel", missing.cancelAgentRequest],
    ["acknowledged", missing.attachAcknowledged],
    ["refused", missing.attachRefused],
  ]),
  ...hollow("AttachAgentResponse", patch({}, { "refused.sequence": "1" }), [
    ["refused.error", missing.errorDetail],
  ]),
];
