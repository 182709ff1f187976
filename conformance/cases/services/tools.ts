/** Tools of models: approval of calls, digests of definitions, and pinned definitions (SACP §8). */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { missing } from "../missing.ts";
import { epoch, finishedAt, startedAt } from "../parts.ts";
import { absent } from "../patch.ts";

const name = "x".repeat(256);
const digest = `sha256:${"9f".repeat(32)}`;
const pin: JsonObject = { name: "geo_get_weather", definitionJson: '{"name":"geo_get_weather"}' };
const pins: JsonObject = { packId: "forecaster", instanceId: "forecaster-model-1.0.0", tools: [pin] };
const pinned: JsonObject = {
  ...{ packId: "forecaster", name: "geo_get_weather", digest, definitionJson: pin.definitionJson ?? "" },
  ...{ acceptedAt: startedAt, acceptedBy: "ada" },
  ...{ changedDigest: `sha256:${"01".repeat(32)}`, changedDefinitionJson: "{}", changedAt: finishedAt },
};
const acceptance: JsonObject = {
  ...{ packId: "forecaster", name: "geo_get_weather", digest, reason: "read the difference" },
};
const heartbeat: JsonObject = {
  ...{ packId: "forecaster", instanceId: "forecaster-model-1.0.0" },
  definition: [{ part: "prompt", digest }],
};
const proposal: JsonObject = {
  ...{ callId: "9f01", tool: "send_mail", arguments: { to: "ada@example.com" }, reason: "each call" },
};
const decision: JsonObject = { verdict: "TOOL_VERDICT_EDITED", callId: "9f01" };
const clarification: JsonObject = {
  ...{ question: 'May "send_mail" be called?', answer: "edit" },
  tool: { ...decision, arguments: { to: "bob@example.com" }, reason: "Ada has left" },
};

export const toolCases: readonly Case[] = [
  valid("pin-tools-request", "PinToolsRequest", "The definition of a tool, as its server states it.", pins),
  valid(
    "pin-tools-request-longest",
    "PinToolsRequest",
    "The longest name and definition, and the most tools.",
    {
      ...pins,
      tools: [
        { name, definitionJson: `"${"d".repeat(131_070)}"` },
        ...Array.from({ length: 127 }, (_, index) => ({ ...pin, name: `tool-${index}` })),
      ],
    },
  ),
  valid("pin-tools-response", "PinToolsResponse", "Those that may be offered.", {
    accepted: ["geo_get_weather"],
  }),
  valid("pin-tools-response-empty", "PinToolsResponse", "None may be offered.", {}),
  valid("list-pinned-tools-request", "ListPinnedToolsRequest", "The changed tools of a pack.", {
    ...{ packId: "forecaster", changedOnly: true },
  }),
  valid("list-pinned-tools-request-empty", "ListPinnedToolsRequest", "All pinned tools.", {}),
  valid("list-pinned-tools-response", "ListPinnedToolsResponse", "A tool whose definition has changed.", {
    tools: [pinned, {}, { acceptedAt: epoch, changedAt: epoch }],
  }),
  valid("list-pinned-tools-response-empty", "ListPinnedToolsResponse", "Nothing is pinned.", {}),
  valid(
    "accept-tool-request",
    "AcceptToolRequest",
    "A definition, by the digest of what was read.",
    acceptance,
  ),
  valid("accept-tool-response", "AcceptToolResponse", "The tool with its new definition.", { tool: pinned }),
  valid("accept-tool-response-hollow", "AcceptToolResponse", "A tool of which nothing is said.", {
    tool: {},
  }),
  valid("accept-tool-response-empty", "AcceptToolResponse", "No tool.", {}),
  valid("agent-heartbeat-definition", "AgentHeartbeat", "The digests of prompt, model and tools.", {
    ...heartbeat,
    definition: ["prompt", "model", "tools"].map((part) => ({ part, digest })),
  }),
  valid("agent-heartbeat-definition-longest", "AgentHeartbeat", "The most and longest digests.", {
    ...heartbeat,
    definition: Array.from({ length: 16 }, () => ({ part: "p".repeat(64), digest: "d".repeat(128) })),
  }),
  valid("tool-proposal", "ToolProposal", "A call that waits for a person.", proposal),
  valid("tool-proposal-longest", "ToolProposal", "The longest texts, and no arguments in the call.", {
    ...{ callId: name, tool: name, arguments: {}, reason: "r".repeat(4_096) },
  }),
  valid("clarification-tool-edited", "Clarification", "A call with other arguments.", clarification),
  ...["APPROVED", "REFUSED"].map((verdict) =>
    valid(
      `clarification-tool-${verdict.toLowerCase()}`,
      "Clarification",
      `A call that was ${verdict.toLowerCase()}.`,
      {
        ...clarification,
        tool: { ...decision, verdict: `TOOL_VERDICT_${verdict}` },
      },
    ),
  ),
  valid("clarification-tool-hollow-arguments", "Clarification", "Edited, so that no arguments are left.", {
    ...clarification,
    tool: { ...decision, arguments: {} },
  }),
  valid("resolve-escalation-request-edit", "ResolveEscalationRequest", "A call with edited arguments.", {
    ...{ escalationId: "e-1", resolution: "edit", arguments: { to: "bob@example.com" } },
  }),
  valid("resolve-escalation-request-edit-hollow", "ResolveEscalationRequest", "Edited to no arguments.", {
    ...{ escalationId: "e-1", resolution: "edit", arguments: {} },
  }),
  ...breaks("PinToolsRequest", pins, [
    ["pack_id", "", "string.min_len", "No pack."],
    ["instance_id", "", "string.min_len", "No instance."],
    ["tools", [], "repeated.min_items", "No tool."],
    [
      "tools",
      Array.from({ length: 129 }, () => pin),
      "repeated.max_items",
      "More tools than a model may call.",
    ],
    ["tools[0].name", "", "string.min_len", "A tool without a name."],
    ["tools[0].name", `${name}x`, "string.max_len", "A name that is too long."],
    ["tools[0].definition_json", "1", "string.min_len", "Less than an object."],
    ["tools[0].definition_json", "d".repeat(131_073), "string.max_len", "A definition that is too long."],
  ]),
  ...breaks("AcceptToolRequest", acceptance, [
    ["pack_id", "", "string.min_len", "No pack."],
    ["name", "", "string.min_len", "No tool."],
    ["digest", "", "string.min_len", "Accepts without saying what."],
    ["reason", "", "string.min_len", "Accepts without a reason."],
  ]),
  ...breaks("AgentHeartbeat", heartbeat, [
    [
      "definition",
      Array.from({ length: 17 }, () => ({ part: "p", digest })),
      ...(["repeated.max_items", "More digests than a definition has parts."] as const),
    ],
    ["definition[0].part", "", "string.min_len", "A digest of nothing."],
    ["definition[0].part", "p".repeat(65), "string.max_len", "The name of a part that is too long."],
    ["definition[0].digest", "", "string.min_len", "A part without a digest."],
    ["definition[0].digest", "d".repeat(129), "string.max_len", "A digest that is too long."],
  ]),
  ...breaks("ToolProposal", proposal, [
    ["call_id", "", "string.min_len", "A call that no decision can name."],
    ["call_id", `${name}x`, "string.max_len", "An id that is too long."],
    ["tool", "", "string.min_len", "A call of no tool."],
    ["tool", `${name}x`, "string.max_len", "The name of a tool that is too long."],
    ["arguments", absent, "required", "A person is asked about a call without its arguments."],
    ["reason", "r".repeat(4_097), "string.max_len", "A reason that is too long."],
  ]),
  ...breaks("Clarification", clarification, [
    ["tool.verdict", "TOOL_VERDICT_UNSPECIFIED", "enum.not_in", "A decision that decides nothing."],
    ["tool.verdict", 9, "enum.defined_only", "A verdict that nobody knows."],
    ["tool.call_id", "", "string.min_len", "A decision about no call."],
  ]),
  ...hollow("Clarification", clarification, [["tool", missing.toolDecision]]),
  ...breaks("EscalationSnapshot", { toolCall: { tool: "send_mail" } }, [
    ["tool_call.tool", "", "string.min_len", "A call of no tool."],
  ]),
  ...hollow("EscalationSnapshot", {}, [["tool_call", missing.toolCallSnapshot]]),
  valid("escalation-snapshot-tool-call", "EscalationSnapshot", "A call that waits for a person.", {
    toolCall: { tool: "send_mail", argumentsJson: '{"to":"ada@example.com"}', reason: "each call" },
  }),
];
