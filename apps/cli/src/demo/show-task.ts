import type { Pipeline } from "@baton/contract/forms";
import { CliError } from "../errors/cli-error.ts";
import type { Hub } from "../hub/connect-hub.ts";
import type { Seen } from "../hub/standing.ts";
import { deed, heading, type Told } from "../narration/beat.ts";
import { Scene } from "../narration/scene.ts";
import { tellStory } from "../narration/story.ts";
import { buildRequest } from "../task/build-request.ts";
import type { DemoFolder } from "./demo-folder.ts";
import type { Example } from "./example.ts";
import type { Narrator } from "./narrator.ts";

export interface Setting {
  readonly folder: DemoFolder;
  readonly example: Example;
  readonly narrator: Narrator;
  readonly signal: AbortSignal;
}

/** A task that is told of: up to where it ends or waits, and on from there. */
export interface ShownTask {
  readonly seen: Seen;
  /** Goes on until it has ended, whatever it waits for. */
  tellRest(): Promise<Seen>;
}

/** Gives the hub a task of the example, and tells what becomes of it until it ends or waits for a person. */
export async function showTask(
  hub: Hub,
  { folder, narrator, signal }: Setting,
  { file, title }: { readonly file: string; readonly title: string },
): Promise<ShownTask> {
  const request = buildRequest(undefined, { file, repository: folder.repository });
  const { pipeline } = await hub.orchestrator.submitTask(request, { signal });
  if (pipeline === undefined) {
    throw new CliError("BATON-CLI-008", "the hub took the task and named no run", {
      fix: "its log tells more",
    });
  }
  narrator.say(heading(title, request.contract?.title));
  const criteria = request.contract?.acceptanceCriteria ?? [];
  narrator.say(
    deed(
      "wanted",
      criteria.map((text) => ({ text })),
    ),
  );
  narrator.say(deed("stages", pipeline.stages.map(({ stageId }) => stageId).join(", ")));
  const scene = new Scene();
  let told = 0;
  /** What was told before is passed over: the story is read from its beginning. */
  const go = async (from: Pipeline, untilItWaits: boolean): Promise<Seen> => {
    let at = 0;
    const tell = async (one: Told) => {
      at += 1;
      if (at <= told) return;
      for (const beat of scene.show(one)) await narrator.tell(beat);
      told = at;
    };
    return tellStory({ hub, pipeline: from, signal, untilItWaits, extras: ["thoughts"], tell });
  };
  const seen = await go(pipeline, true);
  return { seen, tellRest: () => go(seen.pipeline, false) };
}
