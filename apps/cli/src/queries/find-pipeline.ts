import type { Pipeline } from "@baton/contract/forms";
import { Code, ConnectError } from "@connectrpc/connect";
import { CliError } from "../errors/cli-error.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { quote } from "../hub/filter.ts";
import { limits } from "../limits.ts";

/** Finds a run by its id, or by an unambiguous beginning of it. */
export async function findPipeline(hub: Hub, id: string, signal: AbortSignal): Promise<Pipeline> {
  try {
    return await getPipeline(hub, id, signal);
  } catch (error) {
    if (!(error instanceof ConnectError && error.code === Code.NotFound)) throw error;
    const found = await beginningWith(hub, id, signal);
    if (found.length > 1) throw ambiguous(id, found);
    const [only] = found;
    if (only === undefined && id.length < limits.idPrefixLength)
      throw new CliError("BATON-CLI-004", `there is no run "${id}"`, {
        fix: `give at least ${limits.idPrefixLength} characters of its id; baton runs list shows them`,
      });
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

/** Ids with this prefix: sorted by id, they follow the prefix. */
async function beginningWith(hub: Hub, id: string, signal: AbortSignal): Promise<readonly string[]> {
  if (id.length < limits.idPrefixLength) return [];
  const request = {
    filter: `pipeline_id >= ${quote(id)}`,
    orderBy: "pipeline_id",
    pageSize: limits.listedIds + 1,
  };
  try {
    const { pipelines } = await hub.orchestrator.listPipelines(request, { signal });
    return pipelines.map(({ pipelineId }) => pipelineId).filter((pipelineId) => pipelineId.startsWith(id));
  } catch (error) {
    // An older hub cannot search by prefix: the first error stands.
    if (error instanceof ConnectError && error.code === Code.InvalidArgument) return [];
    throw error;
  }
}

export function ambiguous(given: string, fitting: readonly string[]): CliError {
  const listed = fitting.slice(0, limits.listedIds).join(", ");
  const more = fitting.length > limits.listedIds ? ", and more" : "";
  return new CliError("BATON-CLI-005", `"${given}" is the beginning of several ids: ${listed}${more}`, {
    fix: "give more of the id",
  });
}
