import type { RunState } from "../../queries/run-state.ts";
import type { Activities } from "../../story/activities.ts";
import { escapeLine } from "../../terminal/escape.ts";
import { paint, piece, signsOf } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { cut, widthOf } from "../../terminal/width.ts";
import { renderHeading } from "../runs/run-view.ts";
import { describeUsage } from "../runs/summary.ts";
import { renderLiveStages } from "./live-stages.ts";

export interface LiveRun {
  readonly runState: RunState;
  readonly activities: Activities;
  readonly isAway: boolean;
}

/** Columns for status and elapsed time beside the name. */
const besidesName = 24;

/** A run in progress: its state, its usage, its stages with their activity, and its questions. */
export function renderLive(
  terminal: Terminal,
  { runState, activities, isAway }: LiveRun,
  nowMs: number,
): readonly string[] {
  const { ellipsis, asks } = signsOf(terminal);
  const fitting = (text: string) => cut(escapeLine(text), terminal.columns - 2, ellipsis);
  const spent = paint(terminal, piece(describeUsage(activities.spent), "quiet"));
  const { pipelineName } = runState.pipeline;
  const shortName = cut(escapeLine(pipelineName), Math.max(10, terminal.columns - besidesName), ellipsis);
  const heading = renderHeading(terminal, { ...runState.pipeline, pipelineName: shortName }, nowMs);
  const whole = spent === "" ? heading : `${heading}  ${spent}`;
  const questions = runState.questions.map(({ snapshot, stageId }) =>
    paint(terminal, piece(fitting(`  ${asks} ${stageId ? `${stageId}: ` : ""}${snapshot?.problem}`), "asks")),
  );
  return [
    "",
    ...(widthOf(whole) <= terminal.columns ? [whole] : [heading, `  ${spent}`]),
    ...renderLiveStages(terminal, runState.pipeline, activities, nowMs),
    ...(questions.length > 0 ? ["", ...questions] : []),
    ...(isAway ? ["", paint(terminal, piece(fitting("  the hub is away; trying again"), "quiet"))] : []),
  ];
}
