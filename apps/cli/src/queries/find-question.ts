import { type Escalation, EscalationKind } from "@baton/contract/forms";
import { CliError } from "../errors/cli-error.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { quote } from "../hub/filter.ts";
import { limits } from "../limits.ts";
import { instant } from "../terminal/format.ts";
import { ambiguous } from "./find-pipeline.ts";
import { listEscalations } from "./list-escalations.ts";

/** A review, which is approved or rejected; any other question, which is answered; or either. */
export type QuestionKind = "review" | "question" | "any";

/** Finds an open question by its id; else the only one of a run, a stage (`RUN/STAGE`), an attempt or an id prefix. */
export async function findQuestion(
  hub: Hub,
  given: string,
  kind: QuestionKind,
  signal: AbortSignal,
): Promise<Escalation> {
  const open = { max: limits.listRows, filter: "resolved = false" };
  const { rows } = await listEscalations(hub, open, signal);
  const exact = rows.find(({ escalationId }) => escalationId === given);
  if (exact !== undefined) return requireKind(exact, kind);
  const meant = rows.filter((row) => isMeant(row, given));
  const fitting = meant.filter((row) => isOfKind(row, kind));
  if (fitting.length > 1) throw ambiguous(given, fitting.map(nameOf));
  const [only] = fitting;
  if (only !== undefined) return only;
  const [other] = meant;
  if (other !== undefined) return requireKind(other, kind);
  const closed = { max: 1, filter: `resolved = true AND escalation_id = ${quote(given)}` };
  const [answered] = (await listEscalations(hub, closed, signal).catch(() => ({ rows: [] }))).rows;
  if (answered?.resolvedAt) {
    const { resolvedBy = "", resolution = "" } = answered.snapshot ?? {};
    const message = `"${given}" was answered by ${resolvedBy} at ${instant(answered.resolvedAt)}: ${resolution}`;
    throw new CliError("BATON-CLI-004", message, { fix: "baton inbox lists what waits" });
  }
  throw new CliError("BATON-CLI-004", `nothing of "${given}" waits for a person`, {
    fix: "baton inbox lists what does",
  });
}

function isMeant({ escalationId, pipelineId, stageId, dispatchId }: Escalation, given: string): boolean {
  if ([pipelineId, `${pipelineId}/${stageId}`, dispatchId].includes(given)) return true;
  return given.length >= limits.idPrefixLength && escalationId.startsWith(given);
}

function isOfKind(question: Escalation, kind: QuestionKind): boolean {
  return kind === "any" || (question.kind === EscalationKind.REVIEW) === (kind === "review");
}

function requireKind(question: Escalation, kind: QuestionKind): Escalation {
  if (isOfKind(question, kind)) return question;
  const { escalationId } = question;
  const fix =
    kind === "review"
      ? `answer it: baton answer ${escalationId} "..."`
      : `decide it: baton approve ${escalationId} --reason "...", or baton reject`;
  const message =
    kind === "review" ? `"${escalationId}" is a question, not a review` : `"${escalationId}" is a review`;
  throw new CliError("BATON-CLI-001", message, { fix });
}

function nameOf({ escalationId, stageId }: Escalation): string {
  return stageId === "" ? escalationId : `${escalationId} (${stageId})`;
}
