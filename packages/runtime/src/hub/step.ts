import type { Pipeline } from "@baton/contract";
import type { Actor, PipelineInput } from "@baton/kernel";
import { pipelineView } from "../views/pipeline-view.ts";
import { actorOf, find, type HubContext, settled } from "./context.ts";
import type { Caller } from "./hub.ts";

/** A person's step, of a pipeline that is the caller's to see; the pipeline as it is afterwards. */
export async function step(
  context: HubContext,
  caller: Caller,
  pipelineId: string,
  input: (by: Actor) => PipelineInput,
): Promise<Pipeline> {
  await find(context, caller, pipelineId);
  const { state } = await settled(context.driver.ask(pipelineId, input(actorOf(caller))));
  return pipelineView(state, { withResults: true });
}
