/** Event: what happens while an agent works, one arm for each kind. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { missing } from "../missing.ts";
import { epoch, finishedAt } from "../parts.ts";
import { absent, patch } from "../patch.ts";

const envelope: JsonObject = { eventId: "0f8fad5b-d9cb-469f-a165-70867728950e", sessionId: "session-1" };

const thought: JsonObject = {
  agentId: "AGENT_ROLE_RESEARCHER",
  turnIndex: 1,
  chunk: "Let me see",
  isFinal: true,
};
const invoked: JsonObject = {
  callId: "call-1",
  tool: "npm",
  arguments: { command: "test" },
  timestamp: finishedAt,
};
const completed: JsonObject = {
  callId: "call-1",
  tool: "npm",
  status: "TOOL_STATUS_SUCCESS",
  durationMs: 1250.5,
  timestamp: finishedAt,
};
const transition: JsonObject = {
  taskId: "T-1042",
  fromState: "IMPLEMENTING",
  toState: "REVIEWING",
  gitHash: "9fceb02d0ae598e95dc970b74767f19372d61af8",
  timestamp: finishedAt,
};
const pulse: JsonObject = {
  line: "token=********",
  masked: true,
  timestamp: finishedAt,
  check: "tests",
  leftOut: 12,
};

export const minimalEvent: JsonObject = { ...envelope, sandboxPulse: { timestamp: finishedAt } };

export const eventCases: readonly Case[] = [
  valid("event-thought-stream", "Event", "The agent thinks.", { ...envelope, thoughtStream: thought }),
  valid("event-tool-invoked", "Event", "A tool was called.", { ...envelope, toolInvoked: invoked }),
  valid("event-tool-invoked-hollow-arguments", "Event", "A call with an empty set of arguments.", {
    ...envelope,
    toolInvoked: patch(invoked, { arguments: {}, timestamp: epoch }),
  }),
  valid("event-tool-refused", "Event", "A call that was refused, for the longest reason.", {
    ...envelope,
    toolInvoked: patch(invoked, { refused: "r".repeat(4_096) }),
  }),
  valid("event-tool-completed", "Event", "A tool returned.", { ...envelope, toolCompleted: completed }),
  ...["FAILURE", "TIMEOUT"].map((status) =>
    valid(`event-tool-completed-${status.toLowerCase()}`, "Event", `A tool call that ended in ${status}.`, {
      ...envelope,
      toolCompleted: patch(completed, { status: `TOOL_STATUS_${status}`, timestamp: epoch }),
    }),
  ),
  valid("event-task-transition", "Event", "A task changed its state, with the commit that goes with it.", {
    ...envelope,
    taskTransition: transition,
  }),
  valid("event-task-transition-empty-git-hash", "Event", "A commit that is there but empty travels.", {
    ...envelope,
    taskTransition: patch(transition, { git_hash: "", timestamp: epoch }),
  }),
  valid("event-task-transition-without-git-hash", "Event", "A transition without a commit.", {
    ...envelope,
    taskTransition: patch(transition, { git_hash: absent }),
  }),
  valid("event-sandbox-pulse", "Event", "A line of output with a secret masked.", {
    ...envelope,
    sandboxPulse: pulse,
  }),
  valid(
    "event-sandbox-pulse-epoch",
    "Event",
    "An instant that is there with nothing in it satisfies `required`.",
    {
      ...envelope,
      sandboxPulse: { timestamp: epoch },
    },
  ),
  ...breaks("Event", minimalEvent, [
    ["event_id", "", "string.uuid_empty", "An event without an id."],
    ["event_id", "event-1", "string.uuid", "An id that is not a UUID."],
    [
      "event_id",
      "0f8fad5bd9cb469fa16570867728950e",
      "string.uuid",
      "A UUID needs its dashes.",
      { suffix: "without-dashes" },
    ],
    ["session_id", "", "string.min_len", "An event of no session."],
    ["sandbox_pulse", absent, "required", "An event in which nothing happened.", { at: "payload" }],
    ["sandbox_pulse.timestamp", absent, "required", "A line of output at no time."],
    ["sandbox_pulse.left_out", -1, "int32.gte", "Fewer than no lines were left out."],
  ]),
  ...breaks("Event", { ...envelope, thoughtStream: thought }, [
    ["thought_stream.agent_id", "AGENT_ROLE_UNSPECIFIED", "enum.not_in", "A thought of nobody."],
    ["thought_stream.agent_id", 5, "enum.defined_only", "A thought of a role that nobody knows."],
    ["thought_stream.turn_index", -1, "int32.gte", "A thought before the first turn."],
  ]),
  ...breaks("Event", { ...envelope, toolInvoked: invoked }, [
    ["tool_invoked.call_id", "", "string.min_len", "A call that cannot be paired with its completion."],
    ["tool_invoked.tool", "", "string.min_len", "A call of no tool."],
    ["tool_invoked.refused", "r".repeat(4_097), "string.max_len", "A reason that is too long."],
    ["tool_invoked.timestamp", absent, "required", "A call at no time."],
    ["tool_invoked.arguments", absent, "required", "A call that does not say with what."],
  ]),
  ...breaks("Event", { ...envelope, toolCompleted: completed }, [
    ["tool_completed.call_id", "", "string.min_len", "A completion that cannot be paired with its call."],
    ["tool_completed.tool", "", "string.min_len", "A completion of no tool."],
    [
      "tool_completed.status",
      "TOOL_STATUS_UNSPECIFIED",
      "enum.not_in",
      "A call that ended nobody knows how.",
    ],
    ["tool_completed.status", 4, "enum.defined_only", "A call that ended in a way nobody knows."],
    ["tool_completed.duration_ms", -0.5, "double.gte", "A call that took less than no time."],
    [
      "tool_completed.duration_ms",
      "NaN",
      "double.gte",
      "A call that took not a number of milliseconds.",
      { suffix: "nan" },
    ],
    ["tool_completed.timestamp", absent, "required", "A completion at no time."],
  ]),
  ...breaks("Event", { ...envelope, taskTransition: transition }, [
    ["task_transition.task_id", "", "string.min_len", "A transition of no task."],
    ["task_transition.from_state", "", "string.min_len", "A transition from nowhere."],
    ["task_transition.to_state", "", "string.min_len", "A transition to nowhere."],
    ["task_transition.timestamp", absent, "required", "A transition at no time."],
  ]),
  ...hollow("Event", envelope, [
    ["thought_stream", missing.thoughtStream],
    ["tool_invoked", missing.toolLifecycleInvoked],
    ["tool_completed", missing.toolLifecycleCompleted],
    ["task_transition", missing.taskTransition],
    ["sandbox_pulse", missing.sandboxPulse],
  ]),
];
