import type { FileDiff, GetPipelineChangesResponse } from "@baton/contract/forms";
import {
  changeWarnings,
  describeSize,
  escapeHidden,
  fileNotes,
  fileWord,
  fitDiffs,
  shortCommit,
} from "@baton/kernel/deciding";
import { limits } from "../../limits.ts";
import { paint, piece, signsOf, type Tone } from "../../terminal/paint.ts";
import { type Column, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { wrap } from "../../terminal/width.ts";

/** The whole change under review: its size, its files and their diffs. */
export function renderChange(
  terminal: Terminal,
  change: GetPipelineChangesResponse,
  indent: string,
): readonly string[] {
  const { files, size, reason } = change;
  const line = (text: string, tone: Tone = "plain") =>
    wrap(text, terminal.columns - indent.length).map((part) => indent + paint(terminal, piece(part, tone)));
  if (reason !== "") return line(`It cannot be shown: ${reason}.`, "asks");
  if (files.length === 0) return line("Nothing was changed since the run began.");
  const visible = fitTerminal(change);
  const { asks } = signsOf(terminal);
  return [
    ...line(`${size ? describeSize(size) : ""}${describeRange(change)}`),
    ...changeWarnings(visible).flatMap((text) => line(`${asks} ${text}`, "asks")),
    "",
    ...renderTable(terminal, columns, visible.files.map(rowOf), indent),
    ...visible.files.flatMap((file) => renderFile(terminal, file, indent)),
  ];
}

function describeRange({ baseCommit, commit }: GetPipelineChangesResponse): string {
  return commit === ""
    ? `, from ${shortCommit(baseCommit)} to the folder as it is now`
    : `, from ${shortCommit(baseCommit)} to ${shortCommit(commit)}`;
}

/** Cuts the diffs to what a terminal can show. */
function fitTerminal(change: GetPipelineChangesResponse): GetPipelineChangesResponse {
  const diffs = fitDiffs(
    change.files.map(({ diff }) => diff),
    limits.diffCharacters,
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
    oldPath === "" ? "" : `from ${escapeHidden(oldPath)}`,
    ...fileNotes(file),
  ].filter(Boolean);
  return [
    piece(escapeHidden(path)),
    piece(fileWord(file)),
    piece(`+${addedLines}`, "good"),
    piece(`-${removedLines}`, "bad"),
    piece(notes.join(", "), "asks"),
  ];
}

/** Lines stay whole: a reviewer has to see their ends. */
function renderFile(terminal: Terminal, { path, diff }: FileDiff, indent: string): readonly string[] {
  if (diff === "") return [];
  const lines = diff.replace(/\n$/, "").split("\n");
  return [
    "",
    indent + paint(terminal, piece(escapeHidden(path), "strong")),
    ...lines.map((line) => `${indent}  ${paint(terminal, piece(visibleLine(line), toneOf(line)))}`),
  ];
}

function visibleLine(line: string): string {
  return escapeHidden(line).replaceAll("\t", "    ");
}

function toneOf(line: string): Tone {
  if (line.startsWith("+")) return "good";
  if (line.startsWith("-")) return "bad";
  return line.startsWith("@@") || line.startsWith("\\") ? "quiet" : "plain";
}
