import {
  EscalationKind,
  type ToolDecision,
  ToolDecisionSchema,
  type ToolProposal,
  ToolVerdict,
} from "@baton/contract";
import { create, type JsonObject } from "@bufbuild/protobuf";
import { brief } from "../../brief.ts";
import type { Problem } from "../../problem.ts";
import type { Draft } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import { refusal } from "../decision/refusal.ts";
import type { Sent } from "../state/stage-state.ts";
import type { OpenEscalation } from "../state/state.ts";

/** Arguments of a call that a person can look at, as characters of JSON. */
export const maxProposalChars = 65_536;

/** SACP §8: the call of a tool waits for a person. The attempt has ended, so that waiting costs nothing. */
export function askToApprove(
  draft: Draft,
  index: number,
  sent: Sent,
  { tool, arguments: given = {}, reason }: ToolProposal,
): void {
  const json = JSON.stringify(given);
  const question = brief(`${sent.choice.packId} asks to call the tool "${tool}"${reason && `: ${reason}`}`);
  const isTooLarge = json.length > maxProposalChars;
  const argumentsJson = isTooLarge ? `${json.slice(0, maxProposalChars).toWellFormed()}…` : json;
  const escalationId = escalate(draft, {
    kind: EscalationKind.TOOL_CALL,
    stage: index,
    sent,
    snapshot: {
      problem: isTooLarge ? `${question}; its arguments are too long to be shown whole` : question,
      impact: `stage "${draft.plan(index).id}" waits; nothing is called until it is approved`,
      // What nobody can read, nobody can approve.
      options: isTooLarge ? ["refuse", "abort"] : ["approve", "edit", "refuse", "abort"],
      recommended: "look at the arguments: approve the call, edit its arguments, or refuse it with a reason",
      blocking: true,
      toolCall: { tool, argumentsJson, reason },
    },
  });
  draft.record({ type: "asked", stage: index, question, escalationId, atMs: draft.nowMs });
}

interface GivenDecision {
  readonly resolution: string;
  readonly edited: JsonObject | undefined;
}

/** Whether the arguments fit the answer. */
export function checkToolAnswer(
  { kind }: OpenEscalation,
  { resolution, edited }: GivenDecision,
): Problem | undefined {
  const isEdit = kind === EscalationKind.TOOL_CALL && resolution === "edit";
  if (!isEdit && edited === undefined) return undefined;
  if (!isEdit)
    return refusal("BATON-PIPELINE-002", "only edit takes arguments", "answer with edit, or leave them out");
  if (edited === undefined)
    return refusal("BATON-PIPELINE-002", "edit needs the arguments to use", "give them as a JSON object");
  if (JSON.stringify(edited).includes("[redacted:"))
    return refusal(
      "BATON-PIPELINE-002",
      "the arguments contain a masked value, which the tool would get literally",
      "write the value itself, or approve the call as it is",
    );
  return undefined;
}

const verdicts: Readonly<Record<string, ToolVerdict>> = {
  approve: ToolVerdict.APPROVED,
  edit: ToolVerdict.EDITED,
  refuse: ToolVerdict.REFUSED,
};

/** The decision as the next attempt gets it; undefined for other questions. */
export function toolDecision(
  proposal: ToolProposal | undefined,
  { resolution, edited, reason }: GivenDecision & { readonly reason: string },
): ToolDecision | undefined {
  const verdict = verdicts[resolution];
  if (proposal === undefined || verdict === undefined) return undefined;
  const { callId } = proposal;
  return create(ToolDecisionSchema, { verdict, callId, reason, ...(edited && { arguments: edited }) });
}
