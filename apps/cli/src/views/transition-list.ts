import type { Transition } from "@baton/contract";
import { piece, signsOf, type Tone } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Column, renderTable } from "../terminal/table.ts";
import { describeWhen } from "../terminal/time.ts";

const columns: readonly Column[] = [
  { heading: "REVISION", right: true },
  { heading: "WHEN", spare: true },
  { heading: "STAGE" },
  { heading: "FROM" },
  { heading: "TO" },
  { heading: "COMMIT", spare: true },
  { heading: "NOTE", flexible: true },
];

export function renderTransitions(
  look: Look,
  transitions: readonly Transition[],
  nowMs: number,
): readonly string[] {
  const { arrow } = signsOf(look);
  return renderTable(
    look,
    columns,
    transitions.map((one) => [
      piece(String(one.revision), one.abandoned ? "quiet" : "strong"),
      piece(describeWhen(look, one.at, nowMs), "quiet"),
      piece(one.stageId || "the pipeline", one.stageId ? "plain" : "quiet"),
      piece(one.fromStatus.toLowerCase(), "quiet"),
      piece(`${arrow} ${one.toStatus.toLowerCase()}`, toneOf(one)),
      piece(one.commit.slice(0, 12)),
      piece(noteOf(one), "quiet"),
    ]),
  );
}

function toneOf({ toStatus, abandoned }: Transition): Tone {
  if (abandoned) return "quiet";
  if (toStatus === "COMPLETED") return "good";
  if (toStatus === "FAILED" || toStatus === "ABORTED") return "bad";
  return toStatus === "REJECTED" || toStatus === "PAUSED" ? "asks" : "plain";
}

function noteOf({ abandoned, rewoundTo, by, reason, stageId }: Transition): string {
  const rewind =
    rewoundTo > 0n ? `rewound to ${rewoundTo}${stageId === "" ? ` by ${by}: ${reason}` : ""}` : "";
  return [rewind, abandoned ? "abandoned" : ""].filter(Boolean).join(", ");
}
