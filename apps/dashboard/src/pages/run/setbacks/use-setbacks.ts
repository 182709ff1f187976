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
import { type Setback, setbacksOf } from "./setbacks.ts";

const maxListed = 20;

export interface Gates {
  readonly read: ReadonlyMap<string, GateSnapshot | undefined>;
  readonly isReading: boolean;
}

export interface Setbacks {
  /** Whether the run was active when its page was opened: then the height for further entries is reserved. */
  readonly wasActive: boolean;
  /** All setbacks; undefined before the attempts are read. */
  readonly count: number | undefined;
  readonly latest: readonly Setback[];
  readonly gates: Gates;
  /** Whether the height is known, so that later content does not move. */
  readonly hasRoom: boolean;
}

export function useSetbacks(pipeline: Pipeline, attempts: Live<GetAttemptsResponse>): Setbacks {
  const [wasActive] = useState(!hasEnded(pipeline));
  const all = attempts.value && setbacksOf(attempts.value.attempts);
  const latest = all?.slice(-maxListed) ?? [];
  const gates = useGates(
    latest.filter(({ kind }) => kind === "claim").map(({ attempt }) => attempt.dispatchId),
  );
  // Content that was rendered once stays.
  const hasRoom = useRef(wasActive);
  hasRoom.current ||= all === undefined ? attempts.problem !== undefined : !gates.isReading;
  return { wasActive, count: all?.length, latest, gates, hasRoom: hasRoom.current };
}

/** Gate results of ended attempts. They are final, so each is read once. */
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
