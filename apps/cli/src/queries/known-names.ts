import type { Pipeline } from "@baton/contract/forms";
import { CliError } from "../errors/cli-error.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { optionalAnswer } from "../hub/optional-answer.ts";
import { limits } from "../limits.ts";
import { agentName, listAgents, nameOf } from "./find-agent.ts";

/** A fix that lists the known names, up to a limit. */
export function listKnownNames(known: readonly string[]): string {
  const names = [...new Set(known)].toSorted();
  const more = names.length > limits.listedNames ? `, and ${names.length - limits.listedNames} more` : "";
  return `give one of: ${names.slice(0, limits.listedNames).join(", ")}${more}`;
}

/** Refuses an unknown stage, which would be watched without end. */
export async function requireStage(
  hub: Hub,
  stageId: string,
  pipeline: Pipeline | undefined,
  signal: AbortSignal,
): Promise<void> {
  const known = pipeline === undefined ? await anyStages(hub, signal) : stagesOf(pipeline);
  if (known === undefined || known.length === 0 || known.includes(stageId)) return;
  const where = pipeline === undefined ? "" : " of that run";
  throw new CliError("BATON-CLI-001", `no stage${where} is called "${stageId}"`, {
    fix: listKnownNames(known),
  });
}

/** Refuses an unknown pack or instance. */
export async function requireAgent(hub: Hub, name: string, signal: AbortSignal): Promise<void> {
  const agents = await optionalAnswer(listAgents(hub, { max: limits.listRows, filter: "" }, signal));
  if (agents === undefined || agents.rows.length === 0) return; // Agents may connect later.
  const names = agents.rows.map(nameOf);
  if (names.some((one) => one.packId === name || agentName(one) === name)) return;
  const known = name.includes("/") ? names.map(agentName) : names.map(({ packId }) => packId);
  throw new CliError("BATON-CLI-001", `no agent is called "${name}"`, { fix: listKnownNames(known) });
}

/** Stages of the newest runs and of the templates, and task types: a task without a template is a stage of that name. */
async function anyStages(hub: Hub, signal: AbortSignal): Promise<readonly string[] | undefined> {
  const newest = { orderBy: "created_at desc", pageSize: limits.pageRows };
  const listed = await optionalAnswer(hub.orchestrator.listPipelines(newest, { signal }));
  const agents = await optionalAnswer(listAgents(hub, { max: limits.listRows, filter: "" }, signal));
  const templates = await optionalAnswer(hub.inspection.getTemplates({}, { signal }));
  if (listed === undefined || agents === undefined || templates === undefined) return undefined;
  return [
    ...listed.pipelines.flatMap(stagesOf),
    ...templates.templates.flatMap(({ stages }) => stages.map(({ stageId }) => stageId)),
    ...agents.rows.flatMap(({ manifest }) => manifest?.supportedTaskTypes ?? []),
  ];
}

function stagesOf({ stages }: Pipeline): readonly string[] {
  return stages.map(({ stageId }) => stageId);
}
