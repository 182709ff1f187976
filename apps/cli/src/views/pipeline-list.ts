import { type Escalation, type Pipeline, StageStatus } from "@baton/contract/forms";
import { describeWait } from "../hub/standing.ts";
import { piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Column, renderTable } from "../terminal/table.ts";
import { describeWhen } from "../terminal/time.ts";
import { showState } from "./status.ts";

const columns: readonly Column[] = [
  { heading: "RUN" },
  { heading: "STATUS" },
  { heading: "STAGES", right: true, spare: true },
  { heading: "CREATED" },
  { heading: "TEMPLATE", spare: true },
  { heading: "NAME", flexible: true },
  { heading: "WAITS FOR", flexible: true },
];

export function renderPipelines(
  look: Look,
  pipelines: readonly Pipeline[],
  questions: ReadonlyMap<string, readonly Escalation[]>,
  nowMs: number,
): readonly string[] {
  const signs = signsOf(look);
  return renderTable(
    look,
    columns,
    pipelines.map((pipeline) => {
      const seen = { pipeline, questions: questions.get(pipeline.pipelineId) ?? [] };
      const { word, tone, sign } = showState(pipeline);
      return [
        piece(pipeline.pipelineId),
        piece(`${signs[sign]} ${word}`, tone),
        piece(progress(pipeline)),
        piece(describeWhen(look, pipeline.createdAt, nowMs), "quiet"),
        piece(pipeline.templateId),
        piece(pipeline.pipelineName),
        piece(describeWait(seen), "quiet"),
      ];
    }),
  );
}

function progress({ stages }: Pipeline): string {
  const done = stages.filter(({ status }) => status === StageStatus.COMPLETED).length;
  return `${done}/${stages.length}`;
}
