import { AttemptEnding, type AttemptSummary, type Stage } from "@baton/contract/messages";
import type { SignName } from "../../design/signs.tsx";
import type { Tone } from "../../design/status.tsx";

interface Look {
  readonly word: string;
  readonly tone: Tone;
  readonly sign: SignName;
}

const looks: Readonly<Record<AttemptEnding, Look>> = {
  [AttemptEnding.UNSPECIFIED]: { word: "Running", tone: "busy", sign: "running" },
  [AttemptEnding.ACCEPTED]: { word: "Accepted", tone: "good", sign: "done" },
  [AttemptEnding.REJECTED]: { word: "Rejected in review", tone: "bad", sign: "back" },
  [AttemptEnding.RETRIED]: { word: "Retried", tone: "bad", sign: "back" },
  [AttemptEnding.ANSWERED]: { word: "Asked and answered", tone: "asks", sign: "done" },
  [AttemptEnding.SENT_BACK]: { word: "Sent the work back", tone: "asks", sign: "back" },
  [AttemptEnding.FAILED]: { word: "Failed", tone: "bad", sign: "failed" },
  [AttemptEnding.CANCELLED]: { word: "Cancelled", tone: "quiet", sign: "stopped" },
};

/** Accepted on the agent's word alone. */
const unchecked: Look = { word: "Accepted, unchecked", tone: "asks", sign: "done" };

const superseded: Look = { word: "Superseded", tone: "quiet", sign: "skipped" };

/** A cancelled attempt has no result that a rewind could supersede. */
function isSuperseded({ setAside: isAside, ending }: AttemptSummary): boolean {
  return isAside && ending !== AttemptEnding.CANCELLED;
}

export function endingLook(summary: AttemptSummary): Look {
  const { ending, receivedAt } = summary;
  if (isSuperseded(summary)) return superseded;
  if (summary.unchecked) return unchecked;
  if (ending === AttemptEnding.UNSPECIFIED && receivedAt)
    return { word: "Under review", tone: "asks", sign: "waits" };
  return looks[ending];
}

/** For a superseded attempt, how it had ended; otherwise empty. */
export function formerText(summary: AttemptSummary): string {
  if (!isSuperseded(summary)) return "";
  return `by a rewind, was ${looks[summary.ending].word.toLowerCase()}`;
}

/** Whether the result of a stage was accepted without checks. */
export function isUnchecked({ dispatchId }: Stage, attempts: readonly AttemptSummary[]): boolean {
  return attempts.some((attempt) => attempt.dispatchId === dispatchId && attempt.unchecked);
}
