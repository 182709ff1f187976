import { AttemptEnding, type AttemptSummary } from "@baton/contract/messages";
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
  [AttemptEnding.REJECTED]: { word: "Rejected", tone: "bad", sign: "back" },
  [AttemptEnding.RETRIED]: { word: "Tried again", tone: "bad", sign: "back" },
  [AttemptEnding.ANSWERED]: { word: "Asked and answered", tone: "asks", sign: "done" },
  [AttemptEnding.SENT_BACK]: { word: "Sent the work back", tone: "asks", sign: "back" },
  [AttemptEnding.FAILED]: { word: "Failed", tone: "bad", sign: "failed" },
  [AttemptEnding.CANCELLED]: { word: "Called off", tone: "quiet", sign: "stopped" },
};

export function endingLook({ ending, receivedAt }: AttemptSummary): Look {
  if (ending === AttemptEnding.UNSPECIFIED && receivedAt)
    return { word: "Under review", tone: "asks", sign: "waits" };
  return looks[ending];
}
