import { type Escalation, type Pipeline, StageStatus } from "@baton/contract/forms";
import { describeWait } from "../../queries/run-state.ts";
import { describeWhen } from "../../terminal/format.ts";
import { piece, signsOf } from "../../terminal/paint.ts";
import { type Column, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { runStateLabel } from "../status.ts";

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
  terminal: Terminal,
  pipelines: readonly Pipeline[],
  questions: ReadonlyMap<string, readonly Escalation[]>,
  nowMs: number,
): readonly string[] {
  const signs = signsOf(terminal);
  return renderTable(
    terminal,
    columns,
    pipelines.map((pipeline) => {
      const seen = { pipeline, questions: questions.get(pipeline.pipelineId) ?? [] };
      const { word, tone, sign } = runStateLabel(pipeline);
      return [
        piece(pipeline.pipelineId),
        piece(`${signs[sign]} ${word}`, tone),
        piece(progress(pipeline)),
        piece(describeWhen(terminal, pipeline.createdAt, nowMs), "quiet"),
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
