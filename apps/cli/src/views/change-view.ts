import type { FileDiff, GetPipelineChangesResponse } from "@baton/contract/forms";
import {
  changeWarnings,
  describeSize,
  fileNotes,
  fileWord,
  fitDiffs,
  shortCommit,
  writeOutHidden,
} from "@baton/kernel/deciding";
import { limits } from "../limits.ts";
import { paint, piece, signsOf, type Tone } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Column, renderTable } from "../terminal/table.ts";
import { wrap } from "../terminal/width.ts";

/** The whole change that a person is asked to review: how large it is, its files, and what differs in them. */
export function renderChange(
  look: Look,
  change: GetPipelineChangesResponse,
  indent: string,
): readonly string[] {
  const { files, size, reason } = change;
  const line = (text: string, tone: Tone = "plain") =>
    wrap(text, look.columns - indent.length).map((part) => indent + paint(look, piece(part, tone)));
  if (reason !== "") return line(`It cannot be shown: ${reason}.`, "asks");
  if (files.length === 0) return line("Nothing was changed since the run began.");
  const shown = fitTerminal(change);
  const { asks } = signsOf(look);
  return [
    ...line(`${size ? describeSize(size) : ""}${describeRange(change)}`),
    ...changeWarnings(shown).flatMap((text) => line(`${asks} ${text}`, "asks")),
    "",
    ...renderTable(look, columns, shown.files.map(rowOf), indent),
    ...shown.files.flatMap((file) => renderFile(look, file, indent)),
  ];
}

function describeRange({ baseCommit, commit }: GetPipelineChangesResponse): string {
  return commit === ""
    ? `, from ${shortCommit(baseCommit)} to the folder as it is now`
    : `, from ${shortCommit(baseCommit)} to ${shortCommit(commit)}`;
}

/** A terminal has room for less than the hub sends. */
function fitTerminal(change: GetPipelineChangesResponse): GetPipelineChangesResponse {
  const diffs = fitDiffs(
    change.files.map(({ diff }) => diff),
    limits.shownDiffCharacters,
  );
  const files = change.files.map((file, at): FileDiff => {
    const diff = diffs[at] ?? "";
    return { ...file, diff, linesLeftOut: file.linesLeftOut + changedLines(file.diff) - changedLines(diff) };
  });
  const added = files.reduce(
    (sum, file, at) => sum + file.linesLeftOut - (change.files[at]?.linesLeftOut ?? 0),
    0,
  );
  return { ...change, files, linesLeftOut: change.linesLeftOut + added };
}

function changedLines(diff: string): number {
  return diff.match(/^[+-]/gm)?.length ?? 0;
}

const columns: readonly Column[] = [
  { heading: "FILE" },
  { heading: "CHANGE" },
  { heading: "ADDED", right: true },
  { heading: "REMOVED", right: true },
  { heading: "NOTE" },
];

function rowOf(file: FileDiff) {
  const { path, oldPath, addedLines, removedLines, test } = file;
  const notes = [
    test ? "test" : "",
    oldPath === "" ? "" : `from ${writeOutHidden(oldPath)}`,
    ...fileNotes(file),
  ].filter(Boolean);
  return [
    piece(writeOutHidden(path)),
    piece(fileWord(file)),
    piece(`+${addedLines}`, "good"),
    piece(`-${removedLines}`, "bad"),
    piece(notes.join(", "), "asks"),
  ];
}

/** Lines stay whole: whoever reviews them has to see how they end. */
function renderFile(look: Look, { path, diff }: FileDiff, indent: string): readonly string[] {
  if (diff === "") return [];
  const lines = diff.replace(/\n$/, "").split("\n");
  return [
    "",
    indent + paint(look, piece(writeOutHidden(path), "strong")),
    ...lines.map((line) => `${indent}  ${paint(look, piece(shownLine(line), toneOf(line)))}`),
  ];
}

function shownLine(line: string): string {
  return writeOutHidden(line).replaceAll("\t", "    ");
}

function toneOf(line: string): Tone {
  if (line.startsWith("+")) return "good";
  if (line.startsWith("-")) return "bad";
  return line.startsWith("@@") || line.startsWith("\\") ? "quiet" : "plain";
}
