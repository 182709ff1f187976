import { Complexity, type TurnGap, type TurnRecord } from "@baton/contract/forms";
import { escapeLines } from "../../terminal/escape.ts";
import { describeWhen } from "../../terminal/format.ts";
import { paint, piece, type Tone } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { wrap } from "../../terminal/width.ts";

/** Turns grouped by attempt, with notes where some are missing. */
export function renderTurns(
  terminal: Terminal,
  turns: readonly TurnRecord[],
  gaps: readonly TurnGap[],
  nowMs: number,
): readonly string[] {
  const stored = turns.map((record) => ({
    ...{ dispatchId: record.dispatchId, index: record.turn?.turnIndex ?? 0 },
    lines: renderTurn(terminal, record, nowMs),
  }));
  const missing = gaps.map((gap) => ({
    ...{ dispatchId: gap.dispatchId, index: gap.firstIndex },
    lines: [renderGap(terminal, gap)],
  }));
  // Removed turns are older than the remaining ones, so attempts without turns come first.
  const left = new Set(turns.map(({ dispatchId }) => dispatchId));
  const gone = missing.filter(({ dispatchId }) => !left.has(dispatchId));
  const rest = missing.filter(({ dispatchId }) => left.has(dispatchId));
  const attempts = Map.groupBy([...gone, ...stored, ...rest], ({ dispatchId }) => dispatchId);
  return [...attempts].flatMap(([dispatchId, parts]) => [
    paint(terminal, piece(dispatchId, "strong")),
    ...parts.toSorted((a, b) => a.index - b.index).flatMap(({ lines }) => lines),
  ]);
}

function renderGap(terminal: Terminal, { firstIndex, lastIndex }: TurnGap): string {
  const which =
    firstIndex === lastIndex ? `turn ${firstIndex} is` : `turns ${firstIndex} to ${lastIndex} are`;
  return paint(terminal, piece(`  ${which} not there`, "asks"));
}

function renderTurn(
  terminal: Terminal,
  { turn, recordedAt, withheld }: TurnRecord,
  nowMs: number,
): readonly string[] {
  const { confidence = 0, estimatedComplexity = Complexity.UNSPECIFIED } = turn?.metadata ?? {};
  const about = [
    `${Math.round(confidence * 100)}% sure`,
    `${(Complexity[estimatedComplexity] ?? "unknown").toLowerCase()} complexity`,
    ...(turn?.packId ? [turn.packId] : []),
    describeWhen(terminal, recordedAt, nowMs),
  ];
  const { thought = "", action = "", observation = "" } = turn?.content ?? {};
  return [
    paint(terminal, piece(`  turn ${turn?.turnIndex ?? 0}: ${about.join(", ")}`, "quiet")),
    ...renderText(terminal, "thought", thought),
    ...renderText(terminal, "action", action, "busy"),
    ...renderText(terminal, "saw", observation),
    ...renderText(terminal, "not all", withheld ? `it is not shown whole: ${withheld.reason}` : "", "asks"),
  ];
}

/** All lines of a text, wrapped. */
function renderText(terminal: Terminal, name: string, text: string, tone: Tone = "plain"): readonly string[] {
  if (text === "") return [];
  const [indent, hang] = [`    ${name.padEnd(7)}  `, " ".repeat(13)];
  return escapeLines(text)
    .flatMap((line) => wrap(line, Math.max(20, terminal.columns - indent.length)))
    .map((line, index) =>
      index === 0
        ? paint(terminal, piece(indent, "quiet")) + paint(terminal, piece(line, tone))
        : hang + paint(terminal, piece(line, tone)),
    );
}
