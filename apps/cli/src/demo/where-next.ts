import type { Pipeline } from "@baton/contract";
import type { Hub } from "../hub/connect-hub.ts";
import { deed, heading } from "../narration/beat.ts";
import type { DemoFolder } from "./demo-folder.ts";
import type { Narrator } from "./narrator.ts";

interface Setting {
  readonly hub: Hub;
  readonly pipeline: Pipeline;
  readonly folder: DemoFolder;
  readonly http: string;
  /** Whether the hub stays: then there is something to look at. */
  readonly stays: boolean;
}

const example = "examples/implement-and-review";

/** What a person may do now. */
export function tellWhereNext(narrator: Narrator, { hub, pipeline, folder, http, stays }: Setting): void {
  narrator.say(heading("Where to look next"));
  narrator.say(deed("story", `${example} holds the agents, the template and the task`));
  narrator.say(deed("yours", "docs/tutorial/first-agent.md: an agent of your own in five minutes"));
  narrator.say(deed("docs", "docs/README.md"));
  if (!stays) return;
  const id = pipeline.pipelineId;
  narrator.say(heading("See all of it on a page", "each attempt, each claim beside what the hub saw"));
  narrator.print([""]);
  narrator.sayCommands([`${http}/runs/${id}`]);
  narrator.say(heading("It keeps running", `look around from another terminal, in this folder`));
  narrator.print([""]);
  narrator.sayCommands([
    `export BATON_HUB=${hub.address.origin}`,
    "npx baton pipeline list",
    `npx baton pipeline show ${id}`,
    `npx baton why ${id}/review`,
    "npx baton agent list",
    `npx baton run --file ${example}/task.yaml --key again --repository ${folder.repository}`,
  ]);
  narrator.print([""]);
  narrator.say(deed("end", "Ctrl-C ends it; nothing is left behind"));
}
