import { Complexity, type TurnGap, type TurnRecord } from "@baton/contract/forms";
import { escapeLines } from "../terminal/escape.ts";
import { paint, piece, type Tone } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { describeWhen } from "../terminal/time.ts";
import { wrap } from "../terminal/width.ts";

/** Turns below the attempts they belong to; where some are missing, that is said. */
export function renderTurns(
  look: Look,
  turns: readonly TurnRecord[],
  gaps: readonly TurnGap[],
  nowMs: number,
): readonly string[] {
  const told = turns.map((record) => ({
    ...{ dispatchId: record.dispatchId, index: record.turn?.turnIndex ?? 0 },
    lines: renderTurn(look, record, nowMs),
  }));
  const missing = gaps.map((gap) => ({
    ...{ dispatchId: gap.dispatchId, index: gap.firstIndex },
    lines: [renderGap(look, gap)],
  }));
  // What is gone was stored before what is left, and so is an attempt of which nothing is left.
  const left = new Set(turns.map(({ dispatchId }) => dispatchId));
  const gone = missing.filter(({ dispatchId }) => !left.has(dispatchId));
  const rest = missing.filter(({ dispatchId }) => left.has(dispatchId));
  const attempts = Map.groupBy([...gone, ...told, ...rest], ({ dispatchId }) => dispatchId);
  return [...attempts].flatMap(([dispatchId, parts]) => [
    paint(look, piece(dispatchId, "strong")),
    ...parts.toSorted((one, other) => one.index - other.index).flatMap(({ lines }) => lines),
  ]);
}

function renderGap(look: Look, { firstIndex, lastIndex }: TurnGap): string {
  const which =
    firstIndex === lastIndex ? `turn ${firstIndex} is` : `turns ${firstIndex} to ${lastIndex} are`;
  return paint(look, piece(`  ${which} not there`, "asks"));
}

function renderTurn(
  look: Look,
  { turn, recordedAt, withheld }: TurnRecord,
  nowMs: number,
): readonly string[] {
  const { confidence = 0, estimatedComplexity = Complexity.UNSPECIFIED } = turn?.metadata ?? {};
  const about = [
    `${Math.round(confidence * 100)}% sure`,
    `${(Complexity[estimatedComplexity] ?? "unknown").toLowerCase()} complexity`,
    ...(turn?.packId ? [turn.packId] : []),
    describeWhen(look, recordedAt, nowMs),
  ];
  const { thought = "", action = "", observation = "" } = turn?.content ?? {};
  return [
    paint(look, piece(`  turn ${turn?.turnIndex ?? 0}: ${about.join(", ")}`, "quiet")),
    ...renderText(look, "thought", thought),
    ...renderText(look, "action", action, "busy"),
    ...renderText(look, "saw", observation),
    ...renderText(look, "not all", withheld ? `it is not shown whole: ${withheld.reason}` : "", "asks"),
  ];
}

/** Every line of it: a turn is read as it was said. */
function renderText(look: Look, name: string, text: string, tone: Tone = "plain"): readonly string[] {
  if (text === "") return [];
  const [indent, hang] = [`    ${name.padEnd(7)}  `, " ".repeat(13)];
  return escapeLines(text)
    .flatMap((line) => wrap(line, Math.max(20, look.columns - indent.length)))
    .map((line, place) =>
      place === 0
        ? paint(look, piece(indent, "quiet")) + paint(look, piece(line, tone))
        : hang + paint(look, piece(line, tone)),
    );
}
