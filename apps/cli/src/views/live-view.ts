import type { Seen } from "../hub/standing.ts";
import type { Doing } from "../narration/doing.ts";
import { escapeLine } from "../terminal/escape.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { cut, widthOf } from "../terminal/width.ts";
import { renderLiveStages } from "./live-stages.ts";
import { renderHeading } from "./pipeline-view.ts";
import { describeUsage } from "./summary.ts";

export interface LiveState {
  readonly seen: Seen;
  readonly doing: Doing;
  readonly isAway: boolean;
}

/** Room for how it stands and for how long, beside its name. */
const besidesName = 24;

/** A pipeline while it changes: how it stands, what is spent, its stages with what they do now, and what it asks. */
export function renderLive(look: Look, { seen, doing, isAway }: LiveState, nowMs: number): readonly string[] {
  const { ellipsis, asks } = signsOf(look);
  const fitting = (text: string) => cut(escapeLine(text), look.columns - 2, ellipsis);
  const spent = paint(look, piece(describeUsage(doing.spent), "quiet"));
  const { pipelineName } = seen.pipeline;
  const shortName = cut(escapeLine(pipelineName), Math.max(10, look.columns - besidesName), ellipsis);
  const heading = renderHeading(look, { ...seen.pipeline, pipelineName: shortName }, nowMs);
  const whole = spent === "" ? heading : `${heading}  ${spent}`;
  const questions = seen.questions.map(({ snapshot, stageId }) =>
    paint(look, piece(fitting(`  ${asks} ${stageId ? `${stageId}: ` : ""}${snapshot?.problem}`), "asks")),
  );
  return [
    "",
    ...(widthOf(whole) <= look.columns ? [whole] : [heading, `  ${spent}`]),
    ...renderLiveStages(look, seen.pipeline, doing, nowMs),
    ...(questions.length > 0 ? ["", ...questions] : []),
    ...(isAway ? ["", paint(look, piece(fitting("  the hub is away; trying again"), "quiet"))] : []),
  ];
}
