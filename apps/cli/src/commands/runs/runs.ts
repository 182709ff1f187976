import type { Command } from "commander";
import { withExamples } from "../options/examples.ts";
import { addLabel } from "./label.ts";
import { addList } from "./list.ts";
import { addOverride } from "./override.ts";
import { addSetLimits } from "./set-limits.ts";
import { addShow } from "./show.ts";
import { addSteering } from "./steer.ts";
import { addSteeringOfStages } from "./steer-stage.ts";
import { addTransitions } from "./transitions.ts";
import { addWatch } from "./watch.ts";

export function addRuns(program: Command): void {
  const runs = program
    .command("runs")
    .alias("pipeline")
    .description(
      "Runs: list, show, watch, transitions, pause, resume, abort, set, label, skip, cancel, override. A run is one execution of a task, a template or a " +
        "workflow. An id may be shortened to its beginning. `baton pipeline` is the same command.",
    );
  withExamples(runs, [
    ["baton runs list --status waiting", "runs that need a person"],
    ["baton runs watch p-3s43k65n", "all events of a run, until it ends"],
    ['baton runs abort p-3s43k65n --reason "wrong branch"', "aborts a run"],
  ]);
  addList(runs);
  addShow(runs);
  addWatch(runs);
  addTransitions(runs);
  addSteering(runs);
  addSetLimits(runs);
  addLabel(runs);
  addSteeringOfStages(runs);
  addOverride(runs);
}
