import type { Pipeline } from "@baton/contract/forms";
import { Code, ConnectError } from "@connectrpc/connect";
import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";
import { quote } from "./filter.ts";

/** The pipeline with this id, or the only one whose id begins with it. */
export async function findPipeline(hub: Hub, id: string, signal: AbortSignal): Promise<Pipeline> {
  try {
    return await getPipeline(hub, id, signal);
  } catch (error) {
    if (!(error instanceof ConnectError && error.code === Code.NotFound)) throw error;
    const found = await beginningWith(hub, id, signal);
    if (found.length > 1) throw ambiguous(id, found);
    const [only] = found;
    if (only === undefined) throw error;
    return getPipeline(hub, only, signal);
  }
}

async function getPipeline(hub: Hub, pipelineId: string, signal: AbortSignal): Promise<Pipeline> {
  const { pipeline } = await hub.orchestrator.getPipeline({ pipelineId }, { signal });
  if (pipeline !== undefined) return pipeline;
  throw new CliError("BATON-CLI-004", `the hub gave no run for "${pipelineId}"`, {
    fix: "baton runs list shows what there is",
  });
}

/** In the order of their ids, those that begin with the text stand together, right after it. */
async function beginningWith(hub: Hub, id: string, signal: AbortSignal): Promise<readonly string[]> {
  if (id.length < limits.idPrefixLength) return [];
  const request = {
    filter: `pipeline_id >= ${quote(id)}`,
    orderBy: "pipeline_id",
    pageSize: limits.toldIds + 1,
  };
  try {
    const { pipelines } = await hub.orchestrator.listPipelines(request, { signal });
    return pipelines.map(({ pipelineId }) => pipelineId).filter((full) => full.startsWith(id));
  } catch (error) {
    // A hub that cannot look for beginnings only wants whole ids: the first answer stands.
    if (error instanceof ConnectError && error.code === Code.InvalidArgument) return [];
    throw error;
  }
}

export function ambiguous(given: string, fitting: readonly string[]): CliError {
  const told = fitting.slice(0, limits.toldIds).join(", ");
  const more = fitting.length > limits.toldIds ? ", and more" : "";
  return new CliError("BATON-CLI-005", `"${given}" is the beginning of several ids: ${told}${more}`, {
    fix: "give more of the id",
  });
}
