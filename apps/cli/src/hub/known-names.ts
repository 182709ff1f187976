import type { Pipeline } from "@baton/contract/forms";
import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";
import { full, listAgents, nameOf } from "./find-agent.ts";
import { ifThere } from "./if-there.ts";

/** What to give instead: the names that there are, as many as can be read. */
export function nameOne(known: readonly string[]): string {
  const names = [...new Set(known)].toSorted();
  const more = names.length > limits.toldNames ? `, and ${names.length - limits.toldNames} more` : "";
  return `give one of: ${names.slice(0, limits.toldNames).join(", ")}${more}`;
}

/** Who watches a stage that there is not would wait for ever: it is one of the pipeline, or one that may come. */
export async function mustBeStage(
  hub: Hub,
  stageId: string,
  pipeline: Pipeline | undefined,
  signal: AbortSignal,
): Promise<void> {
  const known = pipeline === undefined ? await anyStages(hub, signal) : stagesOf(pipeline);
  if (known === undefined || known.length === 0 || known.includes(stageId)) return;
  const where = pipeline === undefined ? "" : " of that run";
  throw new CliError("BATON-CLI-001", `no stage${where} is called "${stageId}"`, { fix: nameOne(known) });
}

/** A pack, or one of its instances, that the hub knows of. */
export async function mustBeAgent(hub: Hub, name: string, signal: AbortSignal): Promise<void> {
  const agents = await ifThere(listAgents(hub, { most: limits.listRows, filter: "" }, signal));
  if (agents === undefined || agents.rows.length === 0) return; // They may come yet.
  const names = agents.rows.map(nameOf);
  if (names.some((one) => one.packId === name || full(one) === name)) return;
  const known = name.includes("/") ? names.map(full) : names.map(({ packId }) => packId);
  throw new CliError("BATON-CLI-001", `no agent is called "${name}"`, { fix: nameOne(known) });
}

/** Those of the newest pipelines and of the templates, and what agents do: a task without a template is a stage of that name. */
async function anyStages(hub: Hub, signal: AbortSignal): Promise<readonly string[] | undefined> {
  const newest = { orderBy: "created_at desc", pageSize: limits.pageRows };
  const listed = await ifThere(hub.orchestrator.listPipelines(newest, { signal }));
  const agents = await ifThere(listAgents(hub, { most: limits.listRows, filter: "" }, signal));
  const templates = await ifThere(hub.inspection.getTemplates({}, { signal }));
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
