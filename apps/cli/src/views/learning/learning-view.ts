import {
  Approval,
  type GiveFeedbackResponse,
  type Heuristics,
  type LessonEffect,
  LessonKind,
  type RatedOutcomes,
} from "@baton/contract/forms";
import { piece } from "../../terminal/paint.ts";
import { type Column, type Fact, renderFacts, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";

export function renderFeedback(
  terminal: Terminal,
  { signal, lesson }: GiveFeedbackResponse,
): readonly string[] {
  const facts: readonly Fact[] = [
    ["run", piece(signal?.pipelineId ?? "")],
    ["rating", piece(signal?.rating ? `${signal.rating} of 5` : "")],
    ["approval", piece(approvalOf(signal?.approval))],
    ["note", piece(signal?.note ?? "")],
    ["lesson", piece(lesson?.lessonId ?? "")],
  ];
  return renderFacts(terminal, facts, "");
}

const lessonColumns: readonly Column[] = [
  { heading: "KIND" },
  { heading: "LESSON", flexible: true },
  { heading: "CAPABILITY", spare: true },
  { heading: "WITH" },
  { heading: "WITHOUT" },
  { heading: "ID" },
];

/** Each lesson, and how outcomes with and without lessons were rated. */
export function renderLessons(terminal: Terminal, lessons: readonly LessonEffect[]): readonly string[] {
  const rows = lessons.map(({ lesson, withLessons, withoutLessons }) => [
    piece(lesson?.kind === LessonKind.PLAYBOOK ? "playbook" : "punch-card"),
    lesson?.withdrawnReason
      ? piece(`withdrawn: ${lesson.withdrawnReason}`, "quiet")
      : piece(lesson?.text ?? ""),
    piece(lesson?.capability ?? ""),
    piece(ratedOf(withLessons)),
    piece(ratedOf(withoutLessons)),
    piece(lesson?.lessonId ?? "", "quiet"),
  ]);
  return renderTable(terminal, lessonColumns, rows);
}

export function renderHeuristics(terminal: Terminal, heuristics: Heuristics | undefined): readonly string[] {
  const { version = 0n, essence = [], harmlessTools = [], reason = "", by = "" } = heuristics ?? {};
  const facts: readonly Fact[] = [
    ["version", piece(String(version))],
    ["changed by", piece(by)],
    ["reason", piece(reason)],
    ["harmless tools", piece(harmlessTools.join(", "))],
    ...essence.map(({ capability, pointers }): Fact => [capability, piece(`ignores ${pointers.join(", ")}`)]),
  ];
  return renderFacts(terminal, facts, "");
}

/** The mean rating and how many were rated, such as `4.5 (3)`. */
function ratedOf(rated: RatedOutcomes | undefined): string {
  return rated && rated.count > 0 ? `${rated.meanRating.toFixed(1)} (${rated.count})` : "none rated";
}

function approvalOf(approval: Approval | undefined): string {
  if (approval === Approval.APPROVED) return "approved";
  return approval === Approval.REJECTED ? "rejected" : "";
}
