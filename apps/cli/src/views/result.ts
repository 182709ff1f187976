import { ArtifactAction, type Pipeline, PipelineStatus, type Stage } from "@baton/contract/forms";
import { keptWork, lastAnswers, nothingChecked } from "@baton/kernel/deciding";
import type { FilesRead } from "../hub/read-files.ts";
import { limits } from "../limits.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Fact, renderFacts } from "../terminal/table.ts";
import { wrapIndented } from "../terminal/width.ts";
import { summaryFacts } from "./summary.ts";

/** What a run that has ended left behind, besides the pipeline itself. */
export interface Ended extends FilesRead {
  readonly pipeline: Pipeline;
  /** Stages whose result was taken as it came. */
  readonly unchecked: readonly string[];
}

const indent = "    ";

const actions: Readonly<Record<ArtifactAction, string>> = {
  [ArtifactAction.UNSPECIFIED]: "artifact",
  [ArtifactAction.CREATED]: "created",
  [ArtifactAction.MODIFIED]: "modified",
  [ArtifactAction.DELETED]: "deleted",
};

/** The result of a run that has ended: why it ended, what it answered, the files, what it cost, and how to merge it. */
export function renderResult(look: Look, ended: Ended): readonly string[] {
  const { pipeline } = ended;
  const facts = [...whyFacts(pipeline), ...answerFacts(pipeline), ...fileFacts(ended)];
  return [
    ...renderFacts(look, [...facts, ...summaryFacts(pipeline), ...uncheckedFacts(ended)], indent),
    ...pipeline.stages.flatMap((stage) => renderData(look, pipeline, stage)),
    ...renderMerge(look, pipeline),
  ];
}

function whyFacts({ status, statusReason }: Pipeline): readonly Fact[] {
  if (status === PipelineStatus.COMPLETED) return [];
  const word = status === PipelineStatus.ABORTED ? "aborted" : "failed";
  return [[word, piece(statusReason || "no reason was given", "bad")]];
}

function answerFacts(pipeline: Pipeline): readonly Fact[] {
  return lastAnswers(pipeline).flatMap(({ stageId, result }): Fact[] => {
    const said = result?.status?.summary || result?.status?.failureReason || "";
    const message = result?.response?.message ?? "";
    return [
      [stageId, piece(said)],
      ["message", piece(message === said ? "" : message)],
    ];
  });
}

/** Files of the commits, then what agents name besides: outside a repository there is nothing else to go by. */
function fileFacts({ pipeline, files, filesLeftOut }: Ended): readonly Fact[] {
  const inCommits = new Set(files.map(({ path }) => path));
  const named = (pipeline.summary?.artifacts ?? []).filter(({ path }) => !inCommits.has(path));
  const shown = files.slice(0, limits.shownFiles);
  const more = files.length - shown.length + filesLeftOut;
  const rest = Number.isNaN(more)
    ? "more files, which could not be read"
    : more > 0
      ? `${more} more files`
      : "";
  return [
    ...shown.map(({ path, action }): Fact => [actions[action], piece(path)]),
    ["and", piece(rest, "quiet")],
    ...named.map(({ path, action }): Fact => [actions[action], piece(path)]),
  ];
}

/** "Completed" may rest on nothing but what the agent says. */
function uncheckedFacts({ pipeline, unchecked }: Ended): readonly Fact[] {
  if (unchecked.length === 0) return [];
  const of = unchecked.length === pipeline.stages.length ? "" : `${unchecked.join(", ")}: `;
  return [["checked", piece(of + nothingChecked, "asks")]];
}

/** The structured answer of a stage, as JSON that can be read. */
function renderData(look: Look, { pipelineId }: Pipeline, { stageId, result }: Stage): readonly string[] {
  const data = result?.response?.data;
  if (data === undefined || Object.keys(data).length === 0) return [];
  const lines = JSON.stringify(data, null, 2).split("\n");
  const hidden = lines.length - limits.shownDataLines;
  const more = `${signsOf(look).ellipsis} ${hidden} more lines: baton runs show ${pipelineId} --output json`;
  return [
    `${indent}${paint(look, piece(`data of ${stageId}`, "quiet"))}`,
    ...lines
      .slice(0, limits.shownDataLines)
      .flatMap((line) =>
        wrapIndented(`${indent}  ${line}`, look.columns).map((part) => paint(look, piece(part))),
      ),
    ...(hidden > 0 ? [`${indent}  ${paint(look, piece(more, "quiet"))}`] : []),
  ];
}

function renderMerge(look: Look, pipeline: Pipeline): readonly string[] {
  const work = keptWork(pipeline);
  if (work.length === 0) return [];
  const title =
    pipeline.status === PipelineStatus.COMPLETED
      ? "to merge the work"
      : "to merge what was accepted until then";
  return [
    `${indent}${paint(look, piece(title, "quiet"))}`,
    ...work.map(({ mergeCommand }) => `${indent}  ${paint(look, piece(mergeCommand, "busy"))}`),
  ];
}
