import type { Pipeline } from "@baton/contract/forms";
import type { Hub } from "../hub/connect-hub.ts";
import { eventLine, heading } from "../story/story-line.ts";
import type { DemoFolder } from "./demo-folder.ts";
import type { DemoPrinter } from "./demo-printer.ts";

interface Setting {
  readonly hub: Hub;
  readonly pipeline: Pipeline;
  readonly folder: DemoFolder;
  readonly http: string;
}

const example = "examples/implement-and-review";

/** Prints where to read on. */
export function printNextSteps(printer: DemoPrinter): void {
  printer.printLine(heading("Where to look next"));
  printer.printLine(eventLine("story", `${example} holds the agents, the templates and the tasks`));
  printer.printLine(eventLine("yours", "docs/tutorial/first-agent.md: an agent of your own in five minutes"));
  printer.printLine(eventLine("docs", "docs/README.md"));
}

/** Prints what to look at while the hub runs. */
export function printLinks(printer: DemoPrinter, { hub, pipeline, folder, http }: Setting): void {
  const id = pipeline.pipelineId;
  printer.printLine(heading("See all of it on a page", "each attempt, each claim beside what the hub saw"));
  printer.print([""]);
  printer.printAddresses([
    ["all", `${http}/runs`],
    ["caught", `${http}/runs/${id}?stage=implement&attempt=1&tab=evidence`],
    ["rejected", `${http}/runs/${id}?stage=review&attempt=1`],
    ["waiting", `${http}/inbox`],
  ]);
  printer.printLine(heading("It keeps running", "look around from another terminal, in this folder"));
  printer.print([""]);
  printer.printCommands([
    `export BATON_HUB=${hub.address.origin}`,
    "npx baton runs list",
    `npx baton runs show ${id}`,
    `npx baton why ${id}/review`,
    "npx baton agent list",
    `npx baton run --file ${example}/task.yaml --key again --repository ${folder.repository}`,
  ]);
}
