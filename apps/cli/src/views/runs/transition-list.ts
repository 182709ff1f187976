import type { Transition } from "@baton/contract/forms";
import { describeWhen } from "../../terminal/format.ts";
import { piece, signsOf, type Tone } from "../../terminal/paint.ts";
import { type Column, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const columns: readonly Column[] = [
  { heading: "REVISION", right: true },
  { heading: "WHEN", spare: true },
  { heading: "STAGE" },
  { heading: "FROM" },
  { heading: "TO" },
  { heading: "COMMIT", spare: true },
  { heading: "NOTE", flexible: true, wraps: true },
];

/** One row per revision; its other transitions, such as stages that a rejection reset, are in the note. */
export function renderTransitions(
  terminal: Terminal,
  transitions: readonly Transition[],
  nowMs: number,
): readonly string[] {
  const { arrow } = signsOf(terminal);
  const revisions = [...Map.groupBy(transitions, ({ revision }) => revision).values()];
  return renderTable(
    terminal,
    columns,
    revisions.flatMap(([first, ...more]) => {
      if (first === undefined) return [];
      // A rejection passes through its own status: both transitions are of one stage.
      const own = more.filter(({ stageId }) => stageId === first.stageId);
      const last = own.at(-1) ?? first;
      const along = more.filter(({ stageId }) => stageId !== first.stageId);
      const steps = [first, ...own].map(({ toStatus }) => `${arrow} ${toStatus.toLowerCase()}`);
      return [
        [
          piece(String(first.revision), first.abandoned ? "quiet" : "strong"),
          piece(describeWhen(terminal, first.at, nowMs), "quiet"),
          piece(first.stageId || "the run", first.stageId ? "plain" : "quiet"),
          piece(first.fromStatus.toLowerCase(), "quiet"),
          piece(steps.join(" "), toneOf(own[0] ? first : last)),
          piece((first.commit || last.commit).slice(0, 12)),
          piece(noteOf(first, along, arrow), "quiet"),
        ],
      ];
    }),
  );
}

function toneOf({ toStatus, abandoned }: Transition): Tone {
  if (abandoned) return "quiet";
  if (toStatus === "COMPLETED") return "good";
  if (toStatus === "FAILED" || toStatus === "ABORTED") return "bad";
  return toStatus === "REJECTED" || toStatus === "PAUSED" ? "asks" : "plain";
}

function noteOf(first: Transition, along: readonly Transition[], arrow: string): string {
  const moved = along.map(
    ({ stageId, toStatus }) => `${stageId || "the run"} ${arrow} ${toStatus.toLowerCase()}`,
  );
  return [first.abandoned ? "abandoned" : "", describe(first), ...moved].filter(Boolean).join(", ");
}

/** A retry stays in its status and has an attempt number. */
function whatOf({ rewoundTo, fromStatus, toStatus, dispatchId, attemptNumber }: Transition): string {
  if (rewoundTo > 0n) return `rewound to ${rewoundTo}`;
  if (fromStatus !== toStatus) return "";
  return dispatchId === "" ? "to be tried again" : `attempt ${attemptNumber} is sent`;
}

/** What it is, who requested it, and why. */
function describe(one: Transition): string {
  const what = [whatOf(one), one.by === "" ? "" : `by ${one.by}`].filter(Boolean).join(" ");
  return [what, one.reason].filter(Boolean).join(": ");
}
