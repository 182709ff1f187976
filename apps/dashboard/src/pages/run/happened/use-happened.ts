import {
  AttemptPart,
  type GateSnapshot,
  type GetAttemptsResponse,
  type Pipeline,
} from "@baton/contract/messages";
import { useRef, useState } from "react";
import { hasEnded } from "../../../design/ends.ts";
import { inspection } from "../../../hub/client.ts";
import { type Live, useLive } from "../../../hub/use-live.ts";
import { type Happening, happeningsOf } from "./happened.ts";

/** More than these are in the history. */
const most = 20;

export interface Gates {
  readonly read: ReadonlyMap<string, GateSnapshot | undefined>;
  readonly isReading: boolean;
}

export interface HappenedSoFar {
  /** Whether the run went on when it was opened: then there is room for what is still to come. */
  readonly wasUnderWay: boolean;
  /** How much there is to tell; undefined before the attempts are read. */
  readonly count: number | undefined;
  /** The last of it. */
  readonly shown: readonly Happening[];
  readonly gates: Gates;
  /** Whether it is known how much room all this takes, so that nothing below it has to move. */
  readonly hasRoom: boolean;
}

/** What there is to tell of one run; for another, this is another. */
export function useHappened(pipeline: Pipeline, attempts: Live<GetAttemptsResponse>): HappenedSoFar {
  const [wasUnderWay] = useState(!hasEnded(pipeline));
  const all = attempts.value && happeningsOf(attempts.value.attempts);
  const shown = all?.slice(-most) ?? [];
  const gates = useGates(
    shown.filter(({ kind }) => kind === "claim").map(({ attempt }) => attempt.dispatchId),
  );
  // What was shown once stays, whatever comes to be read after it.
  const hasRoom = useRef(wasUnderWay);
  hasRoom.current ||= all === undefined ? attempts.problem !== undefined : !gates.isReading;
  return { wasUnderWay, count: all?.length, shown, gates, hasRoom: hasRoom.current };
}

/** What the gates found of some attempts. That does not change any more: it is read once. */
function useGates(dispatchIds: readonly string[]): Gates {
  const own = useRef(new Map<string, GateSnapshot | undefined>());
  const { value, problem } = useLive(
    `gates ${dispatchIds.join(" ")}`,
    async (signal) => {
      const missing = dispatchIds.filter((dispatchId) => !own.current.has(dispatchId));
      await Promise.all(
        missing.map(async (dispatchId) => {
          const { gate } = await inspection.getAttempt({ dispatchId, part: AttemptPart.GATE }, { signal });
          own.current.set(dispatchId, gate);
        }),
      );
      return own.current;
    },
    { touches: () => false, disabled: dispatchIds.length === 0 },
  );
  const isReading = dispatchIds.length > 0 && value === undefined && problem === undefined;
  return { read: value ?? own.current, isReading };
}
