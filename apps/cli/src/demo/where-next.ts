import type { Pipeline } from "@baton/contract/forms";
import type { Hub } from "../hub/connect-hub.ts";
import { deed, heading } from "../narration/beat.ts";
import type { DemoFolder } from "./demo-folder.ts";
import type { Narrator } from "./narrator.ts";

interface Setting {
  readonly hub: Hub;
  readonly pipeline: Pipeline;
  readonly folder: DemoFolder;
  readonly http: string;
}

const example = "examples/implement-and-review";

/** What a person may read now. */
export function tellWhereNext(narrator: Narrator): void {
  narrator.say(heading("Where to look next"));
  narrator.say(deed("story", `${example} holds the agents, the templates and the tasks`));
  narrator.say(deed("yours", "docs/tutorial/first-agent.md: an agent of your own in five minutes"));
  narrator.say(deed("docs", "docs/README.md"));
}

/** What a person may look at while the hub is there. */
export function tellHowToLook(narrator: Narrator, { hub, pipeline, folder, http }: Setting): void {
  const id = pipeline.pipelineId;
  narrator.say(heading("See all of it on a page", "each attempt, each claim beside what the hub saw"));
  narrator.print([""]);
  narrator.sayPlaces([
    ["all", `${http}/runs`],
    ["caught", `${http}/runs/${id}?stage=implement&attempt=1&tab=evidence`],
    ["rejected", `${http}/runs/${id}?stage=review&attempt=1`],
    ["waiting", `${http}/inbox`],
  ]);
  narrator.say(heading("It keeps running", "look around from another terminal, in this folder"));
  narrator.print([""]);
  narrator.sayCommands([
    `export BATON_HUB=${hub.address.origin}`,
    "npx baton runs list",
    `npx baton runs show ${id}`,
    `npx baton why ${id}/review`,
    "npx baton agent list",
    `npx baton run --file ${example}/task.yaml --key again --repository ${folder.repository}`,
  ]);
}
