import type { Command } from "commander";
import { withExamples } from "../examples.ts";
import { addList } from "./list.ts";
import { addShow } from "./show.ts";
import { addSteering } from "./steer.ts";
import { addTransitions } from "./transitions.ts";
import { addWatch } from "./watch.ts";

export function addPipeline(program: Command): void {
  const pipeline = program
    .command("pipeline")
    .summary("see and steer pipelines")
    .description(
      "Pipelines: list, show, watch, transitions, pause, resume, abort. An id may be shortened to its beginning.",
    );
  withExamples(pipeline, [
    ["baton pipeline list --status paused", "what stands still"],
    ["baton pipeline watch p-3s43k65n", "what happens, from the beginning, until it ends"],
    ['baton pipeline abort p-3s43k65n --reason "wrong branch"', "ends it and stops its agents"],
  ]);
  addList(pipeline);
  addShow(pipeline);
  addWatch(pipeline);
  addTransitions(pipeline);
  addSteering(pipeline);
}
