import { type Escalation, EscalationKind } from "@baton/contract/forms";
import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";
import { ambiguous } from "./find-pipeline.ts";
import { listEscalations } from "./list-escalations.ts";

/** What is meant: a review, which is approved or rejected, or any other question, which is answered; or either. */
export type Asked = "review" | "question" | "any";

/**
 * The open question with this id; else the only one of a pipeline, of a stage (`PIPELINE/STAGE`) or of an attempt; else
 * the only one whose id begins like this.
 */
export async function findQuestion(
  hub: Hub,
  given: string,
  asked: Asked,
  signal: AbortSignal,
): Promise<Escalation> {
  const open = { most: limits.listRows, filter: "resolved = false" };
  const { rows } = await listEscalations(hub, open, signal);
  const exact = rows.find(({ escalationId }) => escalationId === given);
  if (exact !== undefined) return ofKind(exact, asked);
  const meant = rows.filter((row) => isMeant(row, given));
  const fitting = meant.filter((row) => isAsked(row, asked));
  if (fitting.length > 1) throw ambiguous(given, fitting.map(nameOf));
  const [only] = fitting;
  if (only !== undefined) return only;
  const [other] = meant;
  if (other !== undefined) return ofKind(other, asked);
  throw new CliError("BATON-CLI-004", `nothing of "${given}" waits for a person`, {
    fix: "baton inbox lists what does",
  });
}

function isMeant({ escalationId, pipelineId, stageId, dispatchId }: Escalation, given: string): boolean {
  if ([pipelineId, `${pipelineId}/${stageId}`, dispatchId].includes(given)) return true;
  return given.length >= limits.idPrefixLength && escalationId.startsWith(given);
}

function isAsked({ kind }: Escalation, asked: Asked): boolean {
  return asked === "any" || (kind === EscalationKind.REVIEW) === (asked === "review");
}

function ofKind(question: Escalation, asked: Asked): Escalation {
  if (isAsked(question, asked)) return question;
  const { escalationId } = question;
  const fix =
    asked === "review"
      ? `answer it: baton answer ${escalationId} "..."`
      : `decide it: baton approve ${escalationId} --reason "...", or baton reject`;
  const message =
    asked === "review" ? `"${escalationId}" is a question, not a review` : `"${escalationId}" is a review`;
  throw new CliError("BATON-CLI-001", message, { fix });
}

function nameOf({ escalationId, stageId }: Escalation): string {
  return stageId === "" ? escalationId : `${escalationId} (${stageId})`;
}
