import { AttemptEnding, type AttemptSummary, type Stage } from "@baton/contract/messages";
import type { SignName } from "../../design/signs.tsx";
import type { Tone } from "../../design/status.tsx";

interface Look {
  readonly word: string;
  readonly tone: Tone;
  readonly sign: SignName;
}

const looks: Readonly<Record<AttemptEnding, Look>> = {
  [AttemptEnding.UNSPECIFIED]: { word: "Under way", tone: "busy", sign: "running" },
  [AttemptEnding.ACCEPTED]: { word: "Accepted", tone: "good", sign: "done" },
  [AttemptEnding.REJECTED]: { word: "Rejected in review", tone: "bad", sign: "back" },
  [AttemptEnding.RETRIED]: { word: "Tried again", tone: "bad", sign: "back" },
  [AttemptEnding.ANSWERED]: { word: "Asked and answered", tone: "asks", sign: "done" },
  [AttemptEnding.SENT_BACK]: { word: "Sent the work back", tone: "asks", sign: "back" },
  [AttemptEnding.FAILED]: { word: "Failed", tone: "bad", sign: "failed" },
  [AttemptEnding.CANCELLED]: { word: "Called off", tone: "quiet", sign: "stopped" },
};

/** Whoever reads "accepted" should know where it is the agent's word alone. */
const unchecked: Look = { word: "Accepted, unchecked", tone: "asks", sign: "done" };

const setAside: Look = { word: "Set aside", tone: "quiet", sign: "skipped" };

/** What was called off before it had come to anything says that already. */
function isSetAside({ setAside: isAside, ending }: AttemptSummary): boolean {
  return isAside && ending !== AttemptEnding.CANCELLED;
}

/** How an attempt ended, and whether that counts. */
export function endingLook(summary: AttemptSummary): Look {
  const { ending, receivedAt } = summary;
  if (isSetAside(summary)) return setAside;
  if (summary.unchecked) return unchecked;
  if (ending === AttemptEnding.UNSPECIFIED && receivedAt)
    return { word: "Under review", tone: "asks", sign: "waits" };
  return looks[ending];
}

/** Of one that a rewind has set aside, what it had been before; empty of all others. */
export function wasText(summary: AttemptSummary): string {
  if (!isSetAside(summary)) return "";
  return `by a rewind; it was ${looks[summary.ending].word.toLowerCase()} before`;
}

/** Whether what a stage came to was accepted as it came. */
export function isUnchecked({ dispatchId }: Stage, attempts: readonly AttemptSummary[]): boolean {
  return attempts.some((attempt) => attempt.dispatchId === dispatchId && attempt.unchecked);
}
