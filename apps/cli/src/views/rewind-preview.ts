import {
  ArtifactAction,
  type BranchRewind,
  type RewindPreview,
  RiskKind,
  type StageRewind,
} from "@baton/contract/forms";
import { escapeLine } from "../terminal/escape.ts";
import { type Piece, paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { widthOf, wrap } from "../terminal/width.ts";
import { showPipelineStatus, showStageStatus } from "./status.ts";

/** What a rewind would change: stages, then branches with their commits and files, then what is in the way. */
export function renderRewind(look: Look, preview: RewindPreview): readonly string[] {
  const { arrow } = signsOf(look);
  const line = (indent: string, ...pieces: readonly Piece[]) => inLines(look, indent, pieces);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", ...line("  ", piece(title, "strong")), ...lines];
  const now = showPipelineStatus(preview.statusNow);
  const then = showPipelineStatus(preview.statusThen);
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

/** Pieces beside each other, as far as there is room; what follows stands further in, and what is too long is wrapped. */
function inLines(look: Look, indent: string, pieces: readonly Piece[]): readonly string[] {
  const lines: string[] = [];
  let [line, used] = [indent, 0];
  for (const { text, tone } of pieces.filter((one) => one.text !== "")) {
    const room = look.columns - indent.length - (lines.length > 0 || used > 0 ? 2 : 0);
    for (const [at, part] of wrap(escapeLine(text), Math.max(20, room)).entries()) {
      const needs = widthOf(part) + (used > 0 ? gap.length : 0);
      if (used > 0 && (at > 0 || indent.length + used + needs > look.columns)) {
        lines.push(line);
        [line, used] = [`${indent}  `, 2];
        line += paint(look, { text: part, tone });
        used += widthOf(part);
        continue;
      }
      line += (used > 0 ? gap : "") + paint(look, { text: part, tone });
      used += needs;
    }
  }
  return [...lines, line];
}

const gap = "  ";

function stageLine({ stageId, ...stage }: StageRewind, arrow: string): readonly Piece[] {
  const [now, then] = [showStageStatus(stage.statusNow), showStageStatus(stage.statusThen)];
  const [from, to] = [
    `${now.word}${numbered(stage.attemptNow)}`,
    `${then.word}${numbered(stage.attemptThen)}`,
  ];
  return [
    piece(stageId, "strong"),
    piece(from, now.tone),
    piece(arrow, "quiet"),
    piece(to, then.tone),
    piece(stage.sentAnew ? "is sent anew" : "", "quiet"),
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

/** What becomes of the file. */
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
