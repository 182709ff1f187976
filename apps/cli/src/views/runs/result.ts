import { ArtifactAction, type Pipeline, PipelineStatus, type Stage } from "@baton/contract/forms";
import { finalAnswers, keptWork, nothingChecked } from "@baton/kernel/deciding";
import { limits } from "../../limits.ts";
import type { ChangedFiles } from "../../queries/changed-files.ts";
import { paint, piece, signsOf } from "../../terminal/paint.ts";
import { type Fact, renderFacts } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { wrapIndented } from "../../terminal/width.ts";
import { summaryFacts } from "./summary.ts";

/** What is queried of an ended run besides itself. */
export interface Ended extends ChangedFiles {
  readonly pipeline: Pipeline;
  /** Stages whose result was accepted unchecked. */
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
export function renderResult(terminal: Terminal, ended: Ended): readonly string[] {
  const { pipeline } = ended;
  const facts = [...whyFacts(pipeline), ...answerFacts(pipeline), ...fileFacts(ended)];
  return [
    ...renderFacts(terminal, [...facts, ...summaryFacts(pipeline), ...uncheckedFacts(ended)], indent),
    ...pipeline.stages.flatMap((stage) => renderData(terminal, pipeline, stage)),
    ...renderMerge(terminal, pipeline),
  ];
}

function whyFacts({ status, statusReason }: Pipeline): readonly Fact[] {
  if (status === PipelineStatus.COMPLETED) return [];
  const word = status === PipelineStatus.ABORTED ? "aborted" : "failed";
  return [[word, piece(statusReason || "no reason was given", "bad")]];
}

function answerFacts(pipeline: Pipeline): readonly Fact[] {
  return finalAnswers(pipeline).flatMap(({ stageId, result }): Fact[] => {
    const summary = result?.status?.summary || result?.status?.failureReason || "";
    const message = result?.response?.message ?? "";
    return [
      [stageId, piece(summary)],
      ["message", piece(message === summary ? "" : message)],
    ];
  });
}

/** Files of the commits, then files that only agents name, as outside a repository. */
function fileFacts({ pipeline, files, filesLeftOut }: Ended): readonly Fact[] {
  const inCommits = new Set(files.map(({ path }) => path));
  const named = (pipeline.summary?.artifacts ?? []).filter(({ path }) => !inCommits.has(path));
  const listed = files.slice(0, limits.listedFiles);
  const more = files.length - listed.length + filesLeftOut;
  const rest = Number.isNaN(more)
    ? "more files, which could not be read"
    : more > 0
      ? `${more} more files`
      : "";
  return [
    ...listed.map(({ path, action }): Fact => [actions[action], piece(path)]),
    ["and", piece(rest, "quiet")],
    ...named.map(({ path, action }): Fact => [actions[action], piece(path)]),
  ];
}

/** Stages that are complete by the agent's word alone. */
function uncheckedFacts({ pipeline, unchecked }: Ended): readonly Fact[] {
  if (unchecked.length === 0) return [];
  const of = unchecked.length === pipeline.stages.length ? "" : `${unchecked.join(", ")}: `;
  return [["checked", piece(of + nothingChecked, "asks")]];
}

/** The structured answer of a stage, as indented JSON. */
function renderData(
  terminal: Terminal,
  { pipelineId }: Pipeline,
  { stageId, result }: Stage,
): readonly string[] {
  const data = result?.response?.data;
  if (data === undefined || Object.keys(data).length === 0) return [];
  const lines = JSON.stringify(data, null, 2).split("\n");
  const hidden = lines.length - limits.dataLines;
  const more = `${signsOf(terminal).ellipsis} ${hidden} more lines: baton runs show ${pipelineId} --output json`;
  return [
    `${indent}${paint(terminal, piece(`data of ${stageId}`, "quiet"))}`,
    ...lines
      .slice(0, limits.dataLines)
      .flatMap((line) =>
        wrapIndented(`${indent}  ${line}`, terminal.columns).map((part) => paint(terminal, piece(part))),
      ),
    ...(hidden > 0 ? [`${indent}  ${paint(terminal, piece(more, "quiet"))}`] : []),
  ];
}

function renderMerge(terminal: Terminal, pipeline: Pipeline): readonly string[] {
  const work = keptWork(pipeline);
  if (work.length === 0) return [];
  const title =
    pipeline.status === PipelineStatus.COMPLETED
      ? "to merge the work"
      : "to merge what was accepted until then";
  return [
    `${indent}${paint(terminal, piece(title, "quiet"))}`,
    ...work.map(({ mergeCommand }) => `${indent}  ${paint(terminal, piece(mergeCommand, "busy"))}`),
  ];
}
