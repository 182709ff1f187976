import {
  Approval,
  type ChangeHeuristicsRequest,
  type GiveFeedbackRequest,
  LessonKind,
} from "@baton/contract";
import { pointerFault } from "@baton/kernel";
import type { Caller } from "../../ports/caller.ts";
import { HubError } from "../../ports/hub-error.ts";

/** Text from agents never becomes a rule. */
export function refuseAgents({ kind }: Caller): void {
  if (kind !== "agent") return;
  throw new HubError("denied", "BATON-PIPELINE-004", "an agent cannot change what is learnt", {
    fix: "use a person's key",
  });
}

export function checkFeedback({ rating, note, approval, correctionJson, lesson }: GiveFeedbackRequest): void {
  if (rating === 0 && note.trim() === "" && approval === Approval.UNSPECIFIED && correctionJson === "")
    throw unfit("rating", "nothing is stated", "give a rating, a note, an approval or a correction");
  if (lesson !== LessonKind.UNSPECIFIED && note.trim() === "")
    throw unfit("note", "a lesson has a text", "write the lesson as the note");
  if (correctionJson === "") return;
  try {
    JSON.parse(correctionJson);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw unfit("correction_json", `it is no JSON: ${detail}`, "write the output as JSON");
  }
}

export function checkHeuristics({ essence, harmlessTools, actingTools }: ChangeHeuristicsRequest): void {
  if (!essence && harmlessTools.length === 0 && actingTools.length === 0)
    throw unfit("essence", "nothing is changed", "name a rule of a capability, or tools");
  if (essence?.capability.trim() === "")
    throw unfit("essence.capability", "a rule is about a capability", "name the capability of the tasks");
  for (const [index, pointer] of (essence?.pointers ?? []).entries()) {
    const fault = pointerFault(pointer);
    if (fault) throw unfit(`essence.pointers[${index}]`, fault, "write a JSON pointer, such as /requestId");
  }
  for (const [field, tools] of Object.entries({ harmless_tools: harmlessTools, acting_tools: actingTools }))
    for (const [index, tool] of tools.entries())
      if (tool.trim() === "" || tool.length > 256)
        throw unfit(`${field}[${index}]`, "it is no name of a tool", "write 1 to 256 characters");
}

function unfit(field: string, message: string, fix: string): HubError {
  const violations = [{ field, rule: "BATON-QUERY-004", message }];
  return new HubError("invalid", "BATON-QUERY-004", `${field}: ${message}`, { fix, violations });
}
