import {
  ArtifactAction,
  type BranchRewind,
  type RewindPreview,
  RiskKind,
  type StageRewind,
} from "@baton/contract/forms";
import { escapeLine } from "../../terminal/escape.ts";
import { type Piece, paint, piece, signsOf } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { widthOf, wrap } from "../../terminal/width.ts";
import { pipelineStatusLabel, stageStatusLabel } from "../status.ts";

/** What a rewind would change: stages, branches with their commits and files, then what is at risk. */
export function renderRewind(terminal: Terminal, preview: RewindPreview): readonly string[] {
  const { arrow } = signsOf(terminal);
  const line = (indent: string, ...pieces: readonly Piece[]) => inLines(terminal, indent, pieces);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", ...line("  ", piece(title, "strong")), ...lines];
  const now = pipelineStatusLabel(preview.statusNow);
  const then = pipelineStatusLabel(preview.statusThen);
  return [
    ...line(
      "",
      piece(`revision ${preview.fromRevision} ${arrow} ${preview.toRevision}`, "strong"),
      piece(now.word, now.tone),
      piece(arrow, "quiet"),
      piece(then.word, then.tone),
    ),
    ...section(
      "Stages",
      preview.stages.flatMap((stage) => line("    ", ...stageLine(stage, arrow))),
    ),
    ...section(
      "Branches",
      preview.branches.flatMap((branch) => [
        ...line("    ", ...branchLine(branch, arrow)),
        ...detailsOf(branch).flatMap((detail) => line("      ", detail)),
      ]),
    ),
    ...section(
      "At risk",
      preview.atRisk.flatMap(({ kind, branch, detail }) =>
        line("    ", piece(risks[kind], "bad"), piece(branch), piece(detail)),
      ),
    ),
    ...(preview.note === "" ? [] : ["", ...line("  ", piece(preview.note, "asks"))]),
  ];
}

/** Pieces on one line as far as they fit; further lines are indented, and long pieces wrapped. */
function inLines(terminal: Terminal, indent: string, pieces: readonly Piece[]): readonly string[] {
  const lines: string[] = [];
  let [line, used] = [indent, 0];
  for (const { text, tone } of pieces.filter((one) => one.text !== "")) {
    const room = terminal.columns - indent.length - (lines.length > 0 || used > 0 ? 2 : 0);
    for (const [at, part] of wrap(escapeLine(text), Math.max(20, room)).entries()) {
      const needs = widthOf(part) + (used > 0 ? gap.length : 0);
      if (used > 0 && (at > 0 || indent.length + used + needs > terminal.columns)) {
        lines.push(line);
        [line, used] = [`${indent}  `, 2];
        line += paint(terminal, { text: part, tone });
        used += widthOf(part);
        continue;
      }
      line += (used > 0 ? gap : "") + paint(terminal, { text: part, tone });
      used += needs;
    }
  }
  return [...lines, line];
}

const gap = "  ";

function stageLine({ stageId, ...stage }: StageRewind, arrow: string): readonly Piece[] {
  const [now, then] = [stageStatusLabel(stage.statusNow), stageStatusLabel(stage.statusThen)];
  const [from, to] = [
    `${now.word}${numbered(stage.attemptNow)}`,
    `${then.word}${numbered(stage.attemptThen)}`,
  ];
  return [
    piece(stageId, "strong"),
    piece(from, now.tone),
    piece(arrow, "quiet"),
    piece(to, then.tone),
    piece(stage.sentAnew ? "is sent again" : "", "quiet"),
  ];
}

function numbered(attempt: number): string {
  return attempt > 0 ? ` (attempt ${attempt})` : "";
}

function branchLine(
  { branch, commitNow, commitThen, keptAs }: BranchRewind,
  arrow: string,
): readonly Piece[] {
  return [
    piece(branch, "strong"),
    piece(`${commitNow.slice(0, 12) || "none"} ${arrow} ${commitThen.slice(0, 12) || "none"}`),
    piece(keptAs === "" ? "" : `kept as ${keptAs}`, "quiet"),
  ];
}

function detailsOf({ givenUp, regained, files }: BranchRewind): readonly Piece[] {
  return [
    ...givenUp.map(({ commit, subject }) => piece(`- ${commit.slice(0, 12)} ${subject}`, "bad")),
    ...regained.map(({ commit, subject }) => piece(`+ ${commit.slice(0, 12)} ${subject}`, "good")),
    ...files.map(({ path, action }) => piece(`${actions[action] ?? "changes"} ${path}`)),
  ];
}

/** What a rewind does to a file. */
const actions: Readonly<Record<ArtifactAction, string>> = {
  [ArtifactAction.UNSPECIFIED]: "changes",
  [ArtifactAction.CREATED]: "brings back",
  [ArtifactAction.MODIFIED]: "changes",
  [ArtifactAction.DELETED]: "removes",
};

const risks: Readonly<Record<RiskKind, string>> = {
  [RiskKind.UNSPECIFIED]: "at risk",
  [RiskKind.UNCOMMITTED]: "in no commit yet",
  [RiskKind.FOREIGN]: "not the hub's",
  [RiskKind.CHECKED_OUT]: "checked out",
};
