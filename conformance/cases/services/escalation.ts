/** What waits for a person: ListEscalations and ResolveEscalation of OrchestratorService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { escalationSnapshot } from "../messages/audit.ts";
import { missing } from "../missing.ts";
import { epoch, finishedAt, startedAt } from "../parts.ts";
import { absent, patch } from "../patch.ts";

const escalation: JsonObject = { escalationId: "e-1", snapshot: {} };

const fullEscalation = patch(escalation, {
  kind: "ESCALATION_KIND_ROUTING",
  pipeline_id: "p-1",
  stage_id: "implement",
  dispatch_id: "dispatch-1",
  snapshot: escalationSnapshot,
  raised_at: startedAt,
  resolved_at: finishedAt,
  risk_tier: "RISK_TIER_CRITICAL",
  pipeline_name: "Add a login page",
  pack_id: "senior-ts-dev",
  cause: "no-agent:implement",
});

const escalationKinds = [
  "UNSPECIFIED",
  "ADMISSION",
  "ROUTING",
  "FRESHNESS",
  "REVIEW",
  "CLARIFICATION",
  "POLICY",
  "FAILURE",
  "DEADLINE",
  "BUDGET",
  "ENTROPY",
  "WORKSPACE",
  "ALIGNMENT",
  "TOOL_CALL",
  "DELIVERY",
];

const resolution: JsonObject = { escalationId: "e-1", resolution: "Start an agent" };

export const escalationCases: readonly Case[] = [
  valid("list-escalations-request", "ListEscalationsRequest", "A page of what waits for a person.", {
    pageSize: 10,
    pageToken: "after:e-1",
    filter: "resolved = false AND risk_tier = RISK_TIER_CRITICAL",
    orderBy: "raised_at desc",
  }),
  valid("list-escalations-response", "ListEscalationsResponse", "Escalations of every kind.", {
    escalations: escalationKinds.map((kind, index) =>
      patch(escalation, { escalation_id: `e-${index + 1}`, kind: `ESCALATION_KIND_${kind}` }),
    ),
    nextPageToken: "after:e-11",
  }),
  valid("resolve-escalation-request", "ResolveEscalationRequest", "An answer, and why.", {
    ...resolution,
    reason: "One is idle",
  }),
  valid(
    "resolve-escalation-request-same-cause",
    "ResolveEscalationRequest",
    "An answer to every escalation of the same cause.",
    { ...resolution, sameCause: true },
  ),
  valid("resolve-escalation-response", "ResolveEscalationResponse", "The escalation, with every field set.", {
    escalation: fullEscalation,
    alsoResolved: ["e-2", "e-3"],
  }),
  valid("resolve-escalation-response-epoch", "ResolveEscalationResponse", "Instants with nothing in them.", {
    escalation: patch(escalation, { raised_at: epoch, resolved_at: epoch }),
  }),
  valid("resolve-escalation-response-empty", "ResolveEscalationResponse", "No escalation.", {}),
  ...breaks("ListEscalationsRequest", {}, [
    ["page_size", -1, "int32.gte", "A page of fewer than no escalations."],
  ]),
  ...breaks("ResolveEscalationRequest", resolution, [
    ["escalation_id", "", "string.min_len", "No escalation is named."],
    ["resolution", "", "string.min_len", "An answer that says nothing."],
  ]),
  ...breaks("ResolveEscalationResponse", { escalation }, [
    ["escalation.escalation_id", "", "string.min_len", "An escalation without an id cannot be answered."],
    ["escalation.kind", 99, "enum.defined_only", "A kind that nobody knows."],
    ["escalation.snapshot", absent, "required", "A person is asked, but not what."],
    ["escalation.risk_tier", 4, "enum.defined_only", "A risk tier that nobody knows."],
  ]),
  ...hollow("ResolveEscalationResponse", {}, [["escalation", missing.escalation]]),
];
